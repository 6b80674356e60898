//! Geolocations. A geolocation is a country of ISO 3166-1, or `global`.

use std::fmt;

use super::{Country, validated_text};
use crate::error::InvalidField;

const GLOBAL: &str = "global";

/// The country from which a prompt is asked, or `global`, which is the default.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Geolocation(Option<Country>);

impl Geolocation {
    /// Parses `global` or an ISO 3166-1 alpha-2 code in any case. `uk` is an alias of `gb`.
    pub fn parse(field: &str, text: &str) -> Result<Self, InvalidField> {
        let text = text.trim();
        if text.eq_ignore_ascii_case(GLOBAL) {
            return Ok(Self(None));
        }
        match Country::find(text) {
            Some(country) => Ok(Self(Some(country))),
            None => Err(InvalidField::new(
                field,
                "must be global or an ISO 3166-1 alpha-2 code such as us",
            )),
        }
    }

    /// Returns `global` or the country's code in lower case, e.g. `gb`.
    pub fn as_str(&self) -> &'static str {
        self.0.map_or(GLOBAL, |country| country.lower)
    }

    /// Returns the country's code in upper case, e.g. `GB`, or `None` for `global`.
    pub fn country(&self) -> Option<&'static str> {
        self.0.map(|country| country.upper)
    }

    /// Returns the country's English name, or `None` for `global`.
    pub fn country_name(&self) -> Option<&'static str> {
        self.0.map(|country| country.name)
    }
}

impl fmt::Display for Geolocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

validated_text!(Geolocation, "geolocation", "^(global|[a-z]{2})$");

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn place(text: &str) -> Geolocation {
        Geolocation::parse("geolocation", text).unwrap()
    }

    #[test]
    fn a_geolocation_is_parsed_in_any_case_and_formatted_in_lower_case() {
        for (text, canonical) in [
            ("global", "global"),
            (" Global ", "global"),
            ("US", "us"),
            ("uk", "gb"),
            ("UK", "gb"),
            ("gb", "gb"),
        ] {
            assert_eq!(place(text).to_string(), canonical);
        }
        assert_eq!(place("global"), Geolocation::default());
    }

    #[test]
    fn a_country_has_a_code_and_a_name() {
        assert_eq!(place("uk").country(), Some("GB"));
        assert_eq!(place("de").country_name(), Some("Germany"));
        assert_eq!(
            (place("global").country(), place("global").country_name()),
            (None, None)
        );
    }

    #[test]
    fn unassigned_codes_are_invalid() {
        for text in ["", " ", "u", "xx", "eu", "usa", "us-ca", "worldwide", "ＵＳ"] {
            assert!(Geolocation::parse("geolocation", text).is_err(), "{text}");
        }
        assert_eq!(
            Geolocation::parse("geolocation", "zz").unwrap_err().to_string(),
            "geolocation must be global or an ISO 3166-1 alpha-2 code such as us"
        );
    }

    #[test]
    fn a_stored_geolocation_is_validated() {
        assert_eq!(serde_json::to_string(&place("UK")).unwrap(), r#""gb""#);
        assert_eq!(
            serde_json::from_str::<Geolocation>(r#""global""#).unwrap(),
            place("global")
        );
        assert!(serde_json::from_str::<Geolocation>(r#""zz""#).is_err());
    }

    proptest! {
        #[test]
        fn no_text_panics_and_canonical_geolocations_are_fixed_points(text in "(\\PC{0,8}|[a-zA-Z]{2})") {
            if let Ok(read) = Geolocation::parse("geolocation", &text) {
                prop_assert_eq!(place(read.as_str()), read);
            }
        }
    }
}
