//! Accuracy, precision and recall.

use std::collections::BTreeMap;
use std::fmt;

use crate::Case;

/// The results of a group of cases.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Score {
    pub cases: usize,
    /// Cases whose mention and position are read right.
    pub right: usize,
    /// Mentions that are read as mentions.
    pub true_mentions: usize,
    /// Cases without a mention that are read as mentions.
    pub false_mentions: usize,
    /// Mentions that are not read.
    pub missed_mentions: usize,
}

impl Score {
    fn add(&mut self, case: &Case, position: Option<usize>) {
        let read = position.is_some();
        self.cases += 1;
        self.right += usize::from(position == case.position);
        self.true_mentions += usize::from(read && case.mentioned);
        self.false_mentions += usize::from(read && !case.mentioned);
        self.missed_mentions += usize::from(!read && case.mentioned);
    }

    /// Returns the share of cases that are read right, in percent.
    pub fn accuracy(&self) -> f64 {
        percent(self.right, self.cases)
    }

    /// Returns the share of read mentions that are mentions, in percent.
    pub fn precision(&self) -> f64 {
        percent(self.true_mentions, self.true_mentions + self.false_mentions)
    }

    /// Returns the share of mentions that are read, in percent.
    pub fn recall(&self) -> f64 {
        percent(self.true_mentions, self.true_mentions + self.missed_mentions)
    }
}

/// Returns `part` of `whole` in percent. Nothing of nothing is everything.
fn percent(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        return 100.0;
    }
    100.0 * part as f64 / whole as f64
}

/// Scores by category, by language and of all cases.
#[derive(Debug, Clone, Default)]
pub struct Table {
    pub all: Score,
    pub by_category: BTreeMap<String, Score>,
    pub by_language: BTreeMap<String, Score>,
}

impl Table {
    /// Scores the positions at which the brands of `cases` were read.
    pub fn of(cases: &[Case], positions: &[Option<usize>]) -> Self {
        let mut table = Self::default();
        for (case, position) in cases.iter().zip(positions) {
            let by_category = table.by_category.entry(case.category.clone()).or_default();
            let by_language = table.by_language.entry(case.language.clone()).or_default();
            for score in [&mut table.all, by_category, by_language] {
                score.add(case, *position);
            }
        }
        table
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| Cases | Number | Accuracy | Precision | Recall |")?;
        writeln!(f, "|---|---|---|---|---|")?;
        let groups = self.by_category.iter().chain(&self.by_language);
        for (name, score) in groups
            .map(|(name, score)| (name.as_str(), score))
            .chain([("all", &self.all)])
        {
            writeln!(
                f,
                "| {name} | {} | {:.1} % | {:.1} % | {:.1} % |",
                score.cases,
                score.accuracy(),
                score.precision(),
                score.recall()
            )?;
        }
        Ok(())
    }
}
