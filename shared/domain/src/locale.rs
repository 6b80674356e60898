//! The languages and geolocations in which prompts are asked.

mod geolocation;
mod language;

use std::sync::LazyLock;

pub use geolocation::Geolocation;
pub use language::Language;

/// The countries of ISO 3166-1 as `ad AD Andorra`: their codes in lower and upper case, and English names.
static COUNTRIES: LazyLock<Vec<Country>> = LazyLock::new(|| {
    let rows = include_str!("locale/countries.txt").lines();
    rows.filter_map(|row| {
        let (lower, row) = row.split_once(' ')?;
        let (upper, name) = row.split_once(' ')?;
        Some(Country { lower, upper, name })
    })
    .collect()
});

/// The languages of ISO 639-1 as `aa Afar`: their codes and English names.
static LANGUAGES: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    let rows = include_str!("locale/languages.txt").lines();
    rows.filter_map(|row| row.split_once(' ')).collect()
});

/// A country with an assigned alpha-2 code of ISO 3166-1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Country {
    lower: &'static str,
    upper: &'static str,
    name: &'static str,
}

impl Country {
    /// Finds a country by its alpha-2 code in any case. `uk` is an alias of `gb`.
    fn find(code: &str) -> Option<Self> {
        let code = code.to_ascii_lowercase();
        let code = if code == "uk" { "gb" } else { &code };
        let index = COUNTRIES.binary_search_by_key(&code, |row| row.lower).ok()?;
        Some(COUNTRIES[index])
    }
}

/// Returns whether a text is the code or the English name of a country.
pub(crate) fn is_country(text: &str) -> bool {
    Country::find(text).is_some() || COUNTRIES.iter().any(|row| row.name.eq_ignore_ascii_case(text))
}

/// Implements serde for a type as its text, which is validated when it is deserialized.
macro_rules! validated_text {
    ($name:ident, $field:literal, $pattern:literal) => {
        crate::schema::inline_schema!($name, {"type": "string", "pattern": $pattern});

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.collect_str(self)
            }
        }
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(d)?;
                Self::parse($field, &text).map_err(serde::de::Error::custom)
            }
        }
    };
}
use validated_text;

#[cfg(test)]
mod tests {
    use super::*;

    fn is_lower_case_code(code: &str) -> bool {
        code.len() == 2 && code.bytes().all(|b| b.is_ascii_lowercase())
    }

    #[test]
    fn the_tables_are_complete_and_sorted() {
        assert_eq!(LANGUAGES.len(), 184);
        assert!(LANGUAGES.windows(2).all(|rows| rows[0].0 < rows[1].0));
        assert!(
            LANGUAGES
                .iter()
                .all(|(code, name)| is_lower_case_code(code) && !name.is_empty())
        );
        assert_eq!(COUNTRIES.len(), 249);
        assert!(COUNTRIES.windows(2).all(|rows| rows[0].lower < rows[1].lower));
        for Country { lower, upper, name } in COUNTRIES.iter() {
            assert!(is_lower_case_code(lower) && *upper == lower.to_ascii_uppercase() && !name.is_empty());
        }
    }
}
