//! Signatures of messages.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::webhook::WebhookSecret;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Returns the header `webhook-signature`: for each secret, `v1,` and the HMAC-SHA256 of `id.timestamp.body`
/// in base64, separated by spaces. `timestamp` is in Unix seconds.
pub fn sign(id: &str, timestamp: &str, body: &str, secrets: &[&WebhookSecret]) -> String {
    let signatures = secrets.iter().filter_map(|secret| {
        let mut mac = Hmac::<Sha256>::new_from_slice(&secret.key()).ok()?;
        for part in [id, ".", timestamp, ".", body] {
            mac.update(part.as_bytes());
        }
        Some(format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes())))
    });
    signatures.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_signed_with_each_secret() {
        // The example of the specification's own libraries.
        let secret: WebhookSecret =
            serde_json::from_str(r#""whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw""#).unwrap();
        let (id, at, body) = (
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            "1614265330",
            r#"{"test": 2432232314}"#,
        );
        let expected = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
        assert_eq!(sign(id, at, body, &[&secret]), expected);
        let other = WebhookSecret::from_random([1; 32]);
        let both = sign(id, at, body, &[&other, &secret]);
        assert!(
            both.starts_with("v1,") && both.ends_with(&format!(" {expected}")),
            "{both}"
        );
    }
}
