//! The versions that models reported, and when.

use std::collections::{BTreeMap, BTreeSet};

use domain::time::Day;
use statistics::Side;

/// When a model reported a version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionDays {
    pub version: String,
    /// The first and the last day in both windows with an answer of this version.
    pub first: Day,
    pub last: Day,
}

/// The versions that a model reported, with their days.
#[derive(Debug, Default)]
pub(super) struct ReportedVersions<'a> {
    /// The versions in the base and in the window.
    by_side: [BTreeSet<&'a str>; 2],
    /// The first and the last day of each version.
    days: BTreeMap<&'a str, (Day, Day)>,
}

impl<'a> ReportedVersions<'a> {
    pub(super) fn add(&mut self, side: Side, day: Day, version: &'a str) {
        self.by_side[side.index()].insert(version);
        let (first, last) = self.days.entry(version).or_insert((day, day));
        *first = day.min(*first);
        *last = day.max(*last);
    }

    /// Returns whether the model reports other versions in the window than in the base.
    pub(super) fn differ(&self) -> bool {
        let [base, window] = &self.by_side;
        !base.is_empty() && !window.is_empty() && base != window
    }

    /// Returns the versions in the base and in the window, each ascending.
    pub(super) fn by_side(&self) -> [Vec<String>; 2] {
        let texts =
            |versions: &BTreeSet<&str>| versions.iter().map(|version| (*version).to_owned()).collect();
        self.by_side.each_ref().map(texts)
    }

    /// Returns the days of each version, by the first day, then the version.
    pub(super) fn days(&self) -> Vec<VersionDays> {
        let days = self.days.iter().map(|(version, (first, last))| VersionDays {
            version: (*version).to_owned(),
            first: *first,
            last: *last,
        });
        let mut days: Vec<VersionDays> = days.collect();
        days.sort_by_key(|version| version.first);
        days
    }
}
