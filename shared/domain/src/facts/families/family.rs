//! The families, and the frames of their segments.

use crate::facts::codec::{SegmentError, decode_frame, encode_frame};

/// A kind of facts with its own encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// For each prompt and model, how the response ended and which brands it mentions, in order.
    Visibility,
    /// The domains that each response cites.
    Citations,
    /// The URLs that each response cites, in buckets by domain.
    Links,
    /// The web searches that each response ran.
    Fanouts,
    /// What listings contain of each response, except its state and mentions.
    Responses,
}

impl Family {
    pub const ALL: [Self; 5] = [
        Self::Visibility,
        Self::Citations,
        Self::Links,
        Self::Fanouts,
        Self::Responses,
    ];

    /// Returns the family's name in keys of the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Visibility => "visibility",
            Self::Citations => "citations",
            Self::Links => "links",
            Self::Fanouts => "fanouts",
            Self::Responses => "responses",
        }
    }

    /// Returns the family with that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|family| family.name() == name)
    }

    /// Returns the family's letter in an index of facts.
    pub fn letter(self) -> char {
        match self {
            Self::Visibility => 'v',
            Self::Citations => 'c',
            Self::Links => 'l',
            Self::Fanouts => 'f',
            Self::Responses => 'r',
        }
    }

    /// Returns the family with that letter.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|family| family.letter() == letter)
    }

    /// Returns the family's number in the frame of a segment.
    fn byte(self) -> u8 {
        match self {
            Self::Visibility => 1,
            Self::Citations => 2,
            Self::Links => 3,
            Self::Fanouts => 4,
            Self::Responses => 5,
        }
    }
}

/// Returns the segment with these columns.
pub fn encode_segment(family: Family, columns: &[u8]) -> Vec<u8> {
    encode_frame(family.byte(), columns)
}

/// Returns the columns of a segment, which must belong to `family`.
pub fn decode_segment(family: Family, segment: &[u8]) -> Result<Vec<u8>, SegmentError> {
    decode_frame(family.byte(), segment)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_have_distinct_names_letters_and_numbers() {
        for family in Family::ALL {
            assert_eq!(Family::from_name(family.name()), Some(family));
            assert_eq!(Family::from_letter(family.letter()), Some(family));
        }
        assert_eq!(Family::from_name("Visibility"), None);
        assert_eq!(Family::ALL.map(Family::byte), [1, 2, 3, 4, 5]);
    }

    #[test]
    fn a_segment_of_another_family_is_an_error() {
        for family in Family::ALL {
            let segment = encode_segment(family, b"columns");
            for other in Family::ALL {
                let expected = if other == family {
                    Ok(b"columns".to_vec())
                } else {
                    Err(SegmentError::WrongFamily)
                };
                assert_eq!(decode_segment(other, &segment), expected);
            }
        }
    }
}
