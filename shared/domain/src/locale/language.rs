//! Languages. A language has an ISO 639-1 code and can have a region of ISO 3166-1.

use std::fmt;

use super::{Country, LANGUAGES, validated_text};
use crate::error::InvalidField;

/// A language with an optional region, such as `pt` or `pt-BR`. The default is English.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Language {
    code: &'static str,
    name: &'static str,
    region: Option<Country>,
}

impl Language {
    /// Parses a language such as `pt`, `pt-BR` or `pt_br`, in any case. The region `UK` is an alias of `GB`.
    ///
    /// Scripts, three-letter codes and unassigned codes are invalid.
    pub fn parse(field: &str, text: &str) -> Result<Self, InvalidField> {
        find(text.trim()).ok_or_else(|| {
            InvalidField::new(
                field,
                "must be an ISO 639-1 code, optionally with a region, such as en or pt-BR",
            )
        })
    }

    /// Returns the two-letter code without the region, e.g. `pt`.
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// Returns the English name of the language without the region, e.g. `Portuguese`.
    pub fn english_name(&self) -> &'static str {
        self.name
    }

    /// Returns the code of the region in upper case, e.g. `BR`.
    pub fn region(&self) -> Option<&'static str> {
        self.region.map(|region| region.upper)
    }

    /// Returns the English name of the region, e.g. `Brazil`.
    pub fn region_name(&self) -> Option<&'static str> {
        self.region.map(|region| region.name)
    }
}

fn find(text: &str) -> Option<Language> {
    let (code, region) = match text.split_once(['-', '_']) {
        Some((code, region)) => (code, Some(Country::find(region)?)),
        None => (text, None),
    };
    let code = code.to_ascii_lowercase();
    let index = LANGUAGES.binary_search_by_key(&code.as_str(), |row| row.0).ok()?;
    let (code, name) = LANGUAGES[index];
    Some(Language { code, name, region })
}

impl Default for Language {
    fn default() -> Self {
        Self {
            code: "en",
            name: "English",
            region: None,
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code)?;
        match self.region {
            Some(region) => write!(f, "-{}", region.upper),
            None => Ok(()),
        }
    }
}

validated_text!(Language, "language", "^[a-z]{2}(-[A-Z]{2})?$");

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn language(text: &str) -> Language {
        Language::parse("language", text).unwrap()
    }

    #[test]
    fn a_language_is_parsed_in_any_case_and_formatted_canonically() {
        for (text, canonical) in [
            ("en", "en"),
            (" FR ", "fr"),
            ("pt-BR", "pt-BR"),
            ("PT_br", "pt-BR"),
            ("en-uk", "en-GB"),
            ("zh-tw", "zh-TW"),
        ] {
            assert_eq!(language(text).to_string(), canonical);
        }
        assert_eq!(language("en"), Language::default());
    }

    #[test]
    fn a_language_has_names_for_a_model() {
        let brazilian = language("pt-br");
        assert_eq!(brazilian.code(), "pt");
        assert_eq!(brazilian.english_name(), "Portuguese");
        assert_eq!(brazilian.region(), Some("BR"));
        assert_eq!(brazilian.region_name(), Some("Brazil"));
        assert_eq!(language("el").english_name(), "Greek");
        assert_eq!(language("el").region_name(), None);
    }

    #[test]
    fn scripts_and_long_or_unassigned_codes_are_invalid() {
        for text in [
            "",
            " ",
            "e",
            "eng",
            "xx",
            "english",
            "zh-Hant",
            "zh-Hant-TW",
            "en-",
            "-GB",
            "en-XX",
            "en-US-x",
            "en--US",
            "es-419",
            "en-US ,",
            "iw",
            "sh",
            "ＥＮ",
        ] {
            assert!(Language::parse("language", text).is_err(), "{text}");
        }
        assert_eq!(
            Language::parse("prompts[1].language", "xx")
                .unwrap_err()
                .to_string(),
            "prompts[1].language must be an ISO 639-1 code, optionally with a region, such as en or pt-BR"
        );
    }

    #[test]
    fn a_stored_language_is_validated() {
        assert_eq!(serde_json::to_string(&language("pt_br")).unwrap(), r#""pt-BR""#);
        assert_eq!(
            serde_json::from_str::<Language>(r#""pt-BR""#).unwrap(),
            language("pt-BR")
        );
        assert!(serde_json::from_str::<Language>(r#""xx""#).is_err());
    }

    proptest! {
        #[test]
        fn no_text_panics_and_canonical_languages_are_fixed_points(text in "(\\PC{0,8}|[a-zA-Z]{2}[-_][a-zA-Z]{2}|[a-z]{2})") {
            if let Ok(read) = Language::parse("language", &text) {
                prop_assert_eq!(language(&read.to_string()), read);
                prop_assert!(read.to_string().eq_ignore_ascii_case(text.trim()) || text.contains('_')
                    || text.to_ascii_lowercase().ends_with("uk"));
            }
        }
    }
}
