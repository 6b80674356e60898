//! The secrets with which deliveries are signed, in the form of the Standard Webhooks specification.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

const PREFIX: &str = "whsec_";
/// The length of a secret in bytes. The specification asks for 24 to 64.
const BYTES: usize = 32;

/// A secret: `whsec_` followed by 32 bytes in base64. `Debug` hides its text, so that it cannot be logged by
/// accident.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WebhookSecret(String);

impl WebhookSecret {
    pub fn from_random(bytes: [u8; BYTES]) -> Self {
        Self(format!("{PREFIX}{}", STANDARD.encode(bytes)))
    }

    /// Returns the text of the secret.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Returns the bytes that are the key of a signature. They are empty if the stored text is damaged.
    pub fn key(&self) -> Vec<u8> {
        let encoded = self.0.strip_prefix(PREFIX);
        let decoded = encoded.and_then(|encoded| STANDARD.decode(encoded).ok());
        decoded.into_iter().flatten().collect()
    }
}

impl fmt::Debug for WebhookSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WebhookSecret(hidden)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_has_the_form_of_the_specification_and_hides_its_text() {
        let secret = WebhookSecret::from_random([7; 32]);
        assert_eq!(
            secret.reveal(),
            "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc="
        );
        assert_eq!(secret.key(), [7; 32]);
        assert_eq!(format!("{secret:?}"), "WebhookSecret(hidden)");
    }
}
