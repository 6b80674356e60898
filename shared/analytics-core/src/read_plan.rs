//! Which segments are read to get the facts of the checks that are not in the cache.

use domain::check_key::CheckKey;
use domain::time::Month;
use store::SegmentRef;

use crate::workspace_cache::SegmentKey;

/// The segments to read of one entity and family. Each missing check is in one of them.
pub(crate) struct ReadPlan<'a> {
    /// The checks that are not in the cache, ascending.
    missing: &'a [SegmentKey],
    /// The merged segments that are read instead of those of their checks.
    months: Vec<(Month, SegmentRef)>,
}

impl<'a> ReadPlan<'a> {
    /// Reads the merged segment of a month if it is smaller than the segments of the month's missing checks.
    pub(crate) fn new(
        missing: &'a [SegmentKey],
        indexed: &[(CheckKey, SegmentRef)],
        merged: Vec<(Month, SegmentRef)>,
    ) -> Self {
        let mut plan = Self {
            missing,
            months: Vec::new(),
        };
        if !merged.is_empty() {
            let mut months = merged;
            months.retain(|(month, merged)| {
                let of_month = indexed
                    .iter()
                    .filter(|(check, _)| check.day.month() == *month && plan.is_missing(*check));
                of_month.map(|(_, segment)| segment.kb).sum::<usize>() > merged.kb
            });
            plan.months = months;
        }
        plan
    }

    /// Returns the checks that are not in the cache, ascending.
    pub(crate) fn missing(&self) -> &'a [SegmentKey] {
        self.missing
    }

    /// Returns the merged segments to read.
    pub(crate) fn months(&self) -> &[(Month, SegmentRef)] {
        &self.months
    }

    /// Returns whether the segment of a check is read.
    pub(crate) fn reads_check(&self, check: CheckKey) -> bool {
        self.is_missing(check) && !self.reads_month_of(check)
    }

    /// Returns the size of the segments to read, in KB. `indexed` has the segments of all checks.
    pub(crate) fn kb(&self, indexed: &[(CheckKey, SegmentRef)]) -> usize {
        let checks = indexed.iter().filter(|(check, _)| self.reads_check(*check));
        let checks = checks.map(|(_, segment)| segment.kb);
        checks
            .chain(self.months.iter().map(|(_, merged)| merged.kb))
            .sum()
    }

    /// Returns the key of a check that is not in the cache.
    pub(crate) fn missing_key(&self, check: CheckKey) -> Option<&'a SegmentKey> {
        let index = self.missing.binary_search_by_key(&check, |key| key.check).ok()?;
        self.missing.get(index)
    }

    fn is_missing(&self, check: CheckKey) -> bool {
        self.missing_key(check).is_some()
    }

    fn reads_month_of(&self, check: CheckKey) -> bool {
        !self.months.is_empty() && {
            let month = check.day.month();
            self.months.iter().any(|(read, _)| *read == month)
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::facts::Revision;
    use domain::time::Day;

    use super::*;

    fn segment(kb: usize) -> SegmentRef {
        SegmentRef {
            rev: Revision::of(b""),
            parts: 1,
            kb,
        }
    }

    fn check(day: &str) -> CheckKey {
        CheckKey {
            day: Day::parse(day).unwrap(),
            check: 1.into(),
        }
    }

    fn keys(days: &[&str]) -> Vec<SegmentKey> {
        let key = |day: &&str| SegmentKey {
            check: check(day),
            revision: Revision::of(b""),
            bucket_view: String::new(),
        };
        days.iter().map(key).collect()
    }

    #[test]
    fn the_size_of_a_plan_is_that_of_the_merged_segments_and_the_other_checks() {
        let days = ["2026-01-30", "2026-01-31", "2026-02-01", "2026-02-02"];
        let indexed: Vec<_> = days.iter().map(|day| (check(day), segment(10))).collect();
        let january = vec![(Month::parse("2026-01").unwrap(), segment(19))];
        let kb = |missing: &[&str]| {
            let missing = keys(missing);
            ReadPlan::new(&missing, &indexed, january.clone()).kb(&indexed)
        };
        assert_eq!(kb(&days), 39);
        assert_eq!(kb(&days[1..3]), 20);
        assert_eq!(kb(&[]), 0);
    }

    #[test]
    fn a_month_is_read_at_once_if_that_is_smaller_than_its_missing_checks() {
        let days = ["2026-01-30", "2026-01-31", "2026-02-01", "2026-02-02"];
        let indexed: Vec<_> = days.iter().map(|day| (check(day), segment(10))).collect();
        let merged = |january, february| {
            let month = |text: &str| Month::parse(text).unwrap();
            vec![
                (month("2026-01"), segment(january)),
                (month("2026-02"), segment(february)),
            ]
        };
        let read = |missing: &[&str], merged| {
            let missing = keys(missing);
            let plan = ReadPlan::new(&missing, &indexed, merged);
            let months = plan.months().iter().map(|(month, _)| month.to_string());
            let checks = indexed.iter().filter(|(check, _)| plan.reads_check(*check));
            months
                .chain(checks.map(|(check, _)| check.day.to_string()))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            read(&days, merged(19, 20)),
            ["2026-01", "2026-02-01", "2026-02-02"]
        );
        assert_eq!(read(&days, merged(19, 19)), ["2026-01", "2026-02"]);
        assert_eq!(read(&days[1..], merged(19, 19)), ["2026-02", "2026-01-31"]);
        assert_eq!(read(&days[..1], merged(9, 9)), ["2026-01"]);
        assert_eq!(read(&days, Vec::new()), days);
        assert!(read(&[], merged(1, 1)).is_empty());
    }
}
