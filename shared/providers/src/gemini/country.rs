//! The coordinates of countries.

mod table;

use table::COUNTRIES;

/// Coordinates in degrees north and east.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Coordinates {
    pub(super) latitude: f64,
    pub(super) longitude: f64,
}

/// Returns the coordinates of a country's capital or main settlement. `country` is an ISO 3166-1 alpha-2 code
/// in either case.
pub(super) fn coordinates(country: &str) -> Option<Coordinates> {
    let country = country.to_ascii_uppercase();
    let index = COUNTRIES
        .binary_search_by_key(&country.as_str(), |&(code, ..)| code)
        .ok()?;
    let (_, latitude, longitude) = COUNTRIES[index];
    Some(Coordinates { latitude, longitude })
}

#[cfg(test)]
mod tests {
    use domain::locale::Geolocation;

    use super::*;

    #[test]
    fn every_country_has_coordinates_and_no_other_code_has() {
        let letters = || 'a'..='z';
        let codes = letters().flat_map(|a| letters().map(move |b| format!("{a}{b}")));
        for code in codes.filter(|code| code != "uk") {
            let is_country = Geolocation::parse("geolocation", &code).is_ok();
            assert_eq!(coordinates(&code).is_some(), is_country, "{code}");
        }
        assert!(COUNTRIES.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }

    #[test]
    fn all_coordinates_are_valid_and_distinct() {
        for (code, latitude, longitude) in COUNTRIES {
            assert!(latitude.abs() <= 90.0 && longitude.abs() <= 180.0, "{code}");
            let same = |other: &&(&str, f64, f64)| (other.1, other.2) == (latitude, longitude);
            assert_eq!(COUNTRIES.iter().filter(same).count(), 1, "{code}");
        }
    }

    #[test]
    fn degrees_are_north_and_east() {
        for (code, north, east) in [
            ("DE", true, true),
            ("us", true, false),
            ("AU", false, true),
            ("BR", false, false),
        ] {
            let Coordinates { latitude, longitude } = coordinates(code).unwrap();
            assert_eq!((latitude > 0.0, longitude > 0.0), (north, east), "{code}");
        }
    }
}
