//! Readings: by which names and rules an answer was read.

use std::fmt;
use std::str::FromStr;

use mentions::{BrandNames, RULES_VERSION};
use serde::{Deserialize, Serialize};

use crate::revision::{ParseRevisionError, Revision};
use crate::time::Day;

/// The rules and the names by which answers are read, as a hash. Its text has 12 hexadecimal digits.
///
/// Answers with equal readings are comparable. An answer whose reading is not the current one can be read
/// again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Reading(Revision);

impl Reading {
    /// Returns the reading of answers by the current rules, for these names. The order of the brands and of a
    /// brand's aliases makes no difference.
    pub fn of(brands: &[BrandNames]) -> Self {
        Self::by_rules(RULES_VERSION, brands)
    }

    fn by_rules(version: u32, brands: &[BrandNames]) -> Self {
        let mut bytes = version.to_be_bytes().to_vec();
        let mut brands: Vec<&BrandNames> = brands.iter().collect();
        brands.sort_unstable_by_key(|brand| brand.brand);
        for brand in brands {
            bytes.extend(brand.brand.to_be_bytes());
            add_text(&mut bytes, &brand.name);
            let mut aliases: Vec<&str> = brand.aliases.iter().map(String::as_str).collect();
            aliases.sort_unstable();
            aliases.dedup();
            bytes.extend((aliases.len() as u64).to_be_bytes());
            for alias in aliases {
                add_text(&mut bytes, alias);
            }
            bytes.push(u8::from(brand.domain.is_some()));
            add_text(&mut bytes, brand.domain.as_deref().unwrap_or(""));
        }
        Self(Revision::of(&bytes))
    }

    /// Returns the reading that all of these have in common. `None` if they differ, if one is unknown, or if
    /// there are none.
    pub fn common(readings: impl IntoIterator<Item = Option<Self>>) -> Option<Self> {
        let mut readings = readings.into_iter();
        let first = readings.next()??;
        readings.all(|reading| reading == Some(first)).then_some(first)
    }
}

/// Returns the first day of a range from which on all answers were read like those of the range's latest day.
/// `readings` are those of the checks of the range. `None` if there are none, or if the answers of the latest
/// day were read differently.
pub fn counted_since(first: Day, readings: impl Iterator<Item = (Day, Option<Reading>)>) -> Option<Day> {
    let mut by_day: Vec<(Day, Option<Reading>)> = readings.collect();
    by_day.sort_unstable();
    let (latest_day, latest) = by_day.last().copied()?;
    latest?; // Nothing was read, so that no day was read like it.
    let other = by_day.iter().rev().find(|(_, reading)| *reading != latest);
    match other {
        Some((day, _)) if *day == latest_day => None,
        Some((day, _)) => Some(day.plus_days(1)),
        None => Some(first),
    }
}

/// Adds a text with its length, so that no two lists of texts have equal bytes.
fn add_text(bytes: &mut Vec<u8>, text: &str) {
    bytes.extend((text.len() as u64).to_be_bytes());
    bytes.extend(text.as_bytes());
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Reading {
    type Err = ParseRevisionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

impl TryFrom<String> for Reading {
    type Error = ParseRevisionError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Reading> for String {
    fn from(reading: Reading) -> Self {
        reading.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brand(brand: u32, name: &str, aliases: &[&str], domain: Option<&str>) -> BrandNames {
        BrandNames {
            brand,
            name: name.to_owned(),
            aliases: aliases.iter().map(|alias| (*alias).to_owned()).collect(),
            domain: domain.map(str::to_owned),
        }
    }

    #[test]
    fn a_reading_depends_on_every_name_and_on_the_rules() {
        let acme = brand(1, "Acme", &["Acme Inc", "ACM"], Some("acme.com"));
        let base = Reading::of(std::slice::from_ref(&acme));
        let others = [
            vec![],
            vec![acme.clone(), brand(2, "Other", &[], None)],
            vec![brand(2, "Acme", &["Acme Inc", "ACM"], Some("acme.com"))],
            vec![brand(1, "acme", &["Acme Inc", "ACM"], Some("acme.com"))],
            vec![brand(1, "Acme", &["Acme Inc"], Some("acme.com"))],
            vec![brand(1, "Acme", &["Acme IncACM"], Some("acme.com"))],
            vec![brand(1, "Acme", &["Acme Inc", "ACM", ""], Some("acme.com"))],
            vec![brand(1, "Acme", &["Acme Inc", "ACM"], None)],
            vec![brand(1, "Acme", &["Acme Inc", "ACM"], Some(""))],
        ];
        for other in others {
            assert_ne!(Reading::of(&other), base, "{other:?}");
        }
        let later = Reading::by_rules(RULES_VERSION + 1, &[acme]);
        assert_ne!(later, base);
    }

    #[test]
    fn the_order_of_brands_and_aliases_makes_no_difference() {
        let acme = |aliases: &[&str]| brand(1, "Acme", aliases, None);
        let other = brand(2, "Other", &[], Some("other.com"));
        let reading = Reading::of(&[acme(&["A", "B"]), other.clone()]);
        assert_eq!(Reading::of(&[other, acme(&["B", "A", "B"])]), reading);
    }

    #[test]
    fn a_reading_round_trips_through_its_text() {
        let reading = Reading::of(&[brand(1, "Acme", &[], None)]);
        let text = serde_json::to_string(&reading).unwrap();
        assert_eq!(text.len(), 14, "{text}");
        assert_eq!(serde_json::from_str::<Reading>(&text).unwrap(), reading);
        assert!(serde_json::from_str::<Reading>("\"0123\"").is_err());
    }

    #[test]
    fn answers_count_since_the_day_after_the_last_one_that_was_read_otherwise() {
        let [a, b] = ["A", "B"].map(|name| Some(Reading::of(&[brand(1, name, &[], None)])));
        let since = |readings: &[(i32, Option<Reading>)]| {
            let readings = readings.iter().map(|(day, reading)| (Day(*day), *reading));
            counted_since(Day(100), readings).map(|day| day.0)
        };
        assert_eq!(since(&[(103, a), (104, a), (104, a)]), Some(100));
        assert_eq!(since(&[(103, b), (104, a), (110, a)]), Some(104));
        assert_eq!(since(&[(103, b), (110, a)]), Some(104));
        assert_eq!(since(&[(103, a), (104, b), (105, a), (106, a)]), Some(105));
        assert_eq!(since(&[(103, None), (104, a)]), Some(104));
        for unknown in [
            vec![],
            vec![(103, None)],
            vec![(103, a), (104, None)],
            vec![(104, a), (104, b)],
        ] {
            assert_eq!(since(&unknown), None);
        }
    }

    #[test]
    fn readings_have_one_in_common_only_if_all_are_known_and_equal() {
        let [a, b] = ["A", "B"].map(|name| Some(Reading::of(&[brand(1, name, &[], None)])));
        assert_eq!(Reading::common([a, a]), a);
        for mixed in [vec![], vec![None], vec![a, b], vec![a, None], vec![None, a]] {
            assert_eq!(Reading::common(mixed), None);
        }
    }
}
