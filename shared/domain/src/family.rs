//! The families of facts.

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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_have_distinct_names_and_letters() {
        for family in Family::ALL {
            assert_eq!(Family::from_name(family.name()), Some(family));
            assert_eq!(Family::from_letter(family.letter()), Some(family));
        }
        assert_eq!(Family::from_name("Visibility"), None);
    }
}
