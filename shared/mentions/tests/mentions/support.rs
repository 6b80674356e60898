//! Helpers for the examples.

use mentions::{BrandNames, Matcher, RejectionReason};

pub(crate) fn brand(brand: u32, name: &str, aliases: &[&str], domain: Option<&str>) -> BrandNames {
    BrandNames {
        brand,
        name: name.to_owned(),
        aliases: aliases.iter().map(|&alias| alias.to_owned()).collect(),
        domain: domain.map(str::to_owned),
    }
}

pub(crate) fn is_mentioned(name: &str, answer: &str) -> bool {
    !Matcher::new(&[brand(0, name, &[], None)])
        .find(answer)
        .mentioned
        .is_empty()
}

/// Returns why the only brand does not count, or `None` if it is mentioned or does not occur.
pub(crate) fn reason(brand: BrandNames, answer: &str) -> Option<RejectionReason> {
    Matcher::new(&[brand])
        .find(answer)
        .rejected
        .first()
        .map(|rejected| rejected.reason)
}

pub(crate) fn all_mentioned(examples: &[(&str, &str)]) {
    for (name, answer) in examples {
        assert!(is_mentioned(name, answer), "{name} in {answer}");
    }
}

pub(crate) fn none_mentioned(examples: &[(&str, &str)]) {
    for (name, answer) in examples {
        assert!(!is_mentioned(name, answer), "{name} in {answer}");
    }
}
