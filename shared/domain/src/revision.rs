//! Revisions of segments of facts. A segment's key contains the hash of its content, so that writing it twice
//! changes nothing.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};
use thiserror::Error;

const BYTES: usize = 6;
const DIGITS: usize = 2 * BYTES;

/// The first 48 bits of a segment's SHA-256. Its text has 12 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Revision(u64);

/// The error of texts that are not a revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("it is not 12 hexadecimal digits")]
pub struct ParseRevisionError;

impl Revision {
    /// Returns the revision of a segment.
    pub fn of(segment: &[u8]) -> Self {
        let digest = Sha256::digest(segment);
        Self(
            digest
                .iter()
                .take(BYTES)
                .fold(0, |bits, byte| bits << 8 | u64::from(*byte)),
        )
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:0DIGITS$x}", self.0)
    }
}

impl FromStr for Revision {
    type Err = ParseRevisionError;

    fn from_str(text: &str) -> Result<Self, ParseRevisionError> {
        let digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if text.len() != DIGITS || !text.bytes().all(digit) {
            return Err(ParseRevisionError);
        }
        u64::from_str_radix(text, 16)
            .map(Self)
            .map_err(|_| ParseRevisionError)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_revision_depends_only_on_the_content() {
        assert_eq!(Revision::of(b"abc").to_string(), "ba7816bf8f01");
        assert_ne!(Revision::of(b"abc"), Revision::of(b"abd"));
    }

    #[test]
    fn only_twelve_lower_case_digits_are_a_revision() {
        for text in [
            "",
            "ba7816bf8f0",
            "ba7816bf8f011",
            "BA7816BF8F01",
            "+a7816bf8f01",
            "ba7816bf8f0g",
        ] {
            assert_eq!(text.parse::<Revision>(), Err(ParseRevisionError), "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_revision_round_trips_through_its_text(content: Vec<u8>) {
            let revision = Revision::of(&content);
            prop_assert_eq!(revision.to_string().parse(), Ok(revision));
        }
    }
}
