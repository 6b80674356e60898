//! The verdict on one comparison.

use domain::limits::MIN_COMPARED_ANSWERS;
use serde::Serialize;
use statistics::false_discoveries::FALSE_DISCOVERY_RATE;
use statistics::{Comparison, Counts, Observations, are_discoveries};

/// The largest p-value of a change, if it is the only question.
const LEVEL: f64 = FALSE_DISCOVERY_RATE;

/// Whether a figure has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Up,
    Down,
    /// Chance explains the difference.
    NoClearChange,
    /// A window has fewer than 20 answers, or answers on fewer than 3 days.
    TooFewAnswers,
    /// The figure has changed, but for a reason that has nothing to do with the brand, or there is no figure
    /// to compare. The reason is stated.
    NotComparable,
}

/// Why a change is not one of the brand, or figures are not compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NotComparableReason {
    /// The answers of models whose version has changed mention the brand and its rivals more or less often,
    /// and without these models there is no such change, or there are too few answers to tell.
    ModelChanged,
    /// Of the share of voice: the workspace tracks no other brand, and the answers of at least one window
    /// name none that it knows. The brand has no share of voice.
    NoRivals,
}

impl Verdict {
    /// Returns whether the figure has changed.
    pub fn is_change(self) -> bool {
        matches!(self, Self::Up | Self::Down)
    }
}

/// What was compared, and the verdict.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judgement {
    /// The counts of the base and of the window.
    pub counts: [Counts; 2],
    /// `None` if there are too few answers, or no rivals.
    pub comparison: Option<Comparison>,
    pub verdict: Verdict,
    /// Why the verdict is [`Verdict::NotComparable`].
    pub reason: Option<NotComparableReason>,
}

impl Judgement {
    /// Compares some prompts and models. The verdict is that of a single question.
    pub(super) fn of(
        observations: &Observations,
        prompts: impl IntoIterator<Item = u32> + Clone,
        is_model: impl Fn(u32) -> bool + Copy,
    ) -> Self {
        let counts = observations.counts(prompts.clone(), is_model);
        // Pairs without any total in one window are shown, but not compared.
        let compared = observations.compared_counts(prompts.clone(), is_model);
        let has_enough = compared.iter().all(|counts| counts.total >= MIN_COMPARED_ANSWERS);
        let compared = has_enough.then(|| observations.compare(prompts, is_model));
        let mut judgement = Self {
            counts,
            comparison: compared.flatten(),
            verdict: Verdict::TooFewAnswers,
            reason: None,
        };
        let is_change = judgement
            .comparison
            .is_some_and(|compared| compared.p_value <= LEVEL);
        judgement.decide(is_change);
        judgement
    }

    /// Sets the verdict to [`Verdict::NotComparable`].
    pub(super) fn mark_not_comparable(&mut self, reason: NotComparableReason) {
        self.verdict = Verdict::NotComparable;
        self.reason = Some(reason);
    }

    /// States that there is nothing to compare.
    pub(super) fn withhold(&mut self, reason: NotComparableReason) {
        self.comparison = None;
        self.mark_not_comparable(reason);
    }

    /// Sets the verdict.
    fn decide(&mut self, is_change: bool) {
        self.verdict = match self.comparison {
            None => Verdict::TooFewAnswers,
            Some(compared) if is_change && compared.change > 0.0 => Verdict::Up,
            Some(compared) if is_change && compared.change < 0.0 => Verdict::Down,
            Some(_) => Verdict::NoClearChange,
        };
    }
}

/// Judges several comparisons together, so that at most 5 % of the changes that are found are chance, on
/// average.
pub(super) fn judge_together<'a>(judgements: impl IntoIterator<Item = &'a mut Judgement>) {
    let compared = judgements
        .into_iter()
        .filter_map(|judgement| Some((judgement.comparison?.p_value, judgement)));
    let (p_values, judgements): (Vec<f64>, Vec<&mut Judgement>) = compared.unzip();
    for (judgement, is_change) in judgements.into_iter().zip(are_discoveries(&p_values)) {
        judgement.decide(is_change);
    }
}
