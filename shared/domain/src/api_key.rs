//! API keys: `wsk_` and 32 base62 characters, the last six a CRC-32 of the rest.

use sha2::{Digest, Sha256};

const PREFIX: &str = "wsk_";
const RANDOM_CHARS: usize = 26;
const CHECK_CHARS: usize = 6;
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A well-formed key. Its text is shown once and never logged: `Debug` hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// Makes a key from random bytes, of which at least 26 below 248 are needed (others are skipped, so
    /// that each character is equally likely). `None` if there are too few.
    pub fn from_random(bytes: &[u8]) -> Option<Self> {
        let body: String = bytes
            .iter()
            .filter(|b| **b < 248)
            .map(|b| char::from(BASE62[usize::from(b % 62)]))
            .take(RANDOM_CHARS)
            .collect();
        (body.len() == RANDOM_CHARS).then(|| Self(format!("{PREFIX}{body}{}", checksum(&body))))
    }

    /// Reads a key; `None` for anything that was never issued by this service.
    pub fn parse(text: &str) -> Option<Self> {
        let body = text.strip_prefix(PREFIX)?;
        if body.len() != RANDOM_CHARS + CHECK_CHARS || !body.bytes().all(|b| b.is_ascii_alphanumeric()) {
            return None;
        }
        let (random, check) = body.split_at(RANDOM_CHARS);
        (checksum(random) == check).then(|| Self(text.to_owned()))
    }

    /// What is stored: the key's SHA-256, in hexadecimal.
    pub fn digest(&self) -> String {
        hex::encode(Sha256::digest(self.0.as_bytes()))
    }

    /// The key itself, for the one time it is shown.
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
        *digit = BASE62[usize::try_from(rest % 62).unwrap_or_default()];
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
        fn a_made_key_reads_back_and_a_changed_one_does_not(
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
    fn too_few_usable_bytes_make_no_key() {
        assert_eq!(ApiKey::from_random(&[255; 64]), None);
    }

    #[test]
    fn a_key_is_not_shown_by_debug() {
        let key = ApiKey::from_random(&[1; 26]).unwrap();
        assert!(!format!("{key:?}").contains(key.reveal()));
    }
}
