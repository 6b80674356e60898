//! API keys. A key is `wsk_` followed by 32 base62 characters, of which the last six are the CRC-32 of the
//! others.

use sha2::{Digest, Sha256};

use crate::number::to_usize;

const PREFIX: &str = "wsk_";
const RANDOM_CHARS: usize = 26;
const CHECK_CHARS: usize = 6;
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A well-formed API key. `Debug` hides its text, so that it cannot be logged by accident.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// Creates a key from random bytes. Returns `None` if fewer than 26 of them are below 248.
    ///
    /// Bytes from 248 on are skipped, so that every character is equally likely.
    pub fn from_random(bytes: &[u8]) -> Option<Self> {
        let body: String = bytes
            .iter()
            .filter(|b| **b < 248)
            .map(|b| char::from(BASE62[usize::from(b % 62)]))
            .take(RANDOM_CHARS)
            .collect();
        (body.len() == RANDOM_CHARS).then(|| Self(format!("{PREFIX}{body}{}", checksum(&body))))
    }

    /// Parses a key. Returns `None` if the format or the checksum is wrong.
    pub fn parse(text: &str) -> Option<Self> {
        let body = text.strip_prefix(PREFIX)?;
        if body.len() != RANDOM_CHARS + CHECK_CHARS || !body.bytes().all(|b| b.is_ascii_alphanumeric()) {
            return None;
        }
        let (random, check) = body.split_at(RANDOM_CHARS);
        (checksum(random) == check).then(|| Self(text.to_owned()))
    }

    /// Returns the key's SHA-256 in hexadecimal, which is what the table stores.
    pub fn digest(&self) -> String {
        hex::encode(Sha256::digest(self.0.as_bytes()))
    }

    /// Returns the secret text of the key.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ApiKey(hidden)")
    }
}

fn checksum(body: &str) -> String {
    let mut rest = crc32fast::hash(body.as_bytes());
    let mut digits = [b'0'; CHECK_CHARS];
    for digit in digits.iter_mut().rev() {
        *digit = BASE62[to_usize(rest % 62)];
        rest /= 62;
    }
    digits.iter().copied().map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_created_key_parses_and_a_changed_one_does_not(
            bytes in proptest::collection::vec(0u8..248, 26), at in 4usize..36, to in 0usize..62,
        ) {
            let key = ApiKey::from_random(&bytes).unwrap();
            prop_assert_eq!(key.reveal().len(), 36);
            prop_assert_eq!(ApiKey::parse(key.reveal()), Some(key.clone()));
            let mut changed = key.reveal().as_bytes().to_vec();
            if changed[at] != BASE62[to] {
                changed[at] = BASE62[to];
                prop_assert_eq!(ApiKey::parse(std::str::from_utf8(&changed).unwrap()), None);
            }
        }

        #[test]
        fn no_text_makes_key_parsing_panic(text in "(wsk_)?.{0,40}") {
            let _ = ApiKey::parse(&text);
        }
    }

    #[test]
    fn a_key_needs_26_usable_bytes() {
        assert_eq!(ApiKey::from_random(&[255; 64]), None);
    }

    #[test]
    fn debug_hides_the_key() {
        let key = ApiKey::from_random(&[1; 26]).unwrap();
        assert!(!format!("{key:?}").contains(key.reveal()));
    }
}
