//! Languages and locations, which are parsed in any case and written in canonical form.

use domain::error::InvalidField;
use domain::locale::{Geolocation, Language};

use crate::told;

pub(crate) fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let refused = |error: InvalidField| {
        assert_eq!(error.field, "field");
        told::nothing_of(&text, &error.to_string());
    };
    match Language::parse("field", &text) {
        Ok(language) => {
            let shown = language.to_string();
            let region = language
                .region()
                .map_or_else(String::new, |region| format!("-{region}"));
            assert_eq!(shown, format!("{}{region}", language.code()));
            assert_eq!(Language::parse("field", &shown).as_ref(), Ok(&language));
            assert_eq!(
                Language::parse("field", &shown.to_uppercase()).as_ref(),
                Ok(&language)
            );
            assert_eq!(language.region().is_some(), language.region_name().is_some());
            let json = serde_json::to_string(&language).unwrap();
            assert_eq!(serde_json::from_str::<Language>(&json).unwrap(), language);
            if let Some(region) = language.region() {
                let place = Geolocation::parse("field", region).unwrap();
                assert_eq!(place.country(), Some(region));
            }
        }
        Err(error) => refused(error),
    }
    match Geolocation::parse("field", &text) {
        Ok(place) => {
            assert_eq!(Geolocation::parse("field", place.as_str()).as_ref(), Ok(&place));
            assert_eq!(
                Geolocation::parse("field", &place.as_str().to_uppercase()).as_ref(),
                Ok(&place)
            );
            assert_eq!(place.country().is_none(), place.as_str() == "global");
            assert_eq!(place.country().is_some(), place.country_name().is_some());
        }
        Err(error) => refused(error),
    }
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    [
        "en",
        "pt-BR",
        "PT_br",
        "en-uk",
        "zh-Hant-TW",
        "global",
        " GB ",
        "uk",
        "xx",
        "es-419",
        "ＥＮ",
        "en--US",
    ]
    .map(|seed| seed.as_bytes().to_vec())
    .into()
}
