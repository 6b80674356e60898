//! Where a country is.

mod table;

use table::PLACES;

/// Latitude and longitude in degrees, for an ISO 3166-1 alpha-2 code in either case.
pub(super) fn find(country: &str) -> Option<(f64, f64)> {
    let country = country.to_ascii_uppercase();
    let at = PLACES
        .binary_search_by_key(&country.as_str(), |place| place.0)
        .ok()?;
    let (_, latitude, longitude) = PLACES[at];
    Some((latitude, longitude))
}

#[cfg(test)]
mod tests {
    use domain::locale::Geolocation;

    use super::*;

    #[test]
    fn every_country_has_one_place_and_nothing_else_has() {
        let letters = || 'a'..='z';
        let codes = letters().flat_map(|a| letters().map(move |b| format!("{a}{b}")));
        for code in codes.filter(|code| code != "uk") {
            let is_country = Geolocation::parse("geolocation", &code).is_ok();
            assert_eq!(find(&code).is_some(), is_country, "{code}");
        }
        assert!(PLACES.windows(2).all(|places| places[0].0 < places[1].0));
    }

    #[test]
    fn every_place_is_on_earth_and_no_two_are_one() {
        for (code, latitude, longitude) in PLACES {
            assert!(latitude.abs() <= 90.0 && longitude.abs() <= 180.0, "{code}");
            let same = |place: &&(&str, f64, f64)| (place.1, place.2) == (latitude, longitude);
            assert_eq!(PLACES.iter().filter(same).count(), 1, "{code}");
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
            let (latitude, longitude) = find(code).unwrap();
            assert_eq!((latitude > 0.0, longitude > 0.0), (north, east), "{code}");
        }
    }
}
