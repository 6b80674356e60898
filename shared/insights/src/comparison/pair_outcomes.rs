//! The answers of a segment, by the pair of a prompt and a model that gave them.

/// The outcome of a pair that has no answer in a segment.
const NO_ANSWER: u32 = u32::MAX;

/// What each pair of a segment's entity answered. Several figures are counted from it, so that a segment is
/// read once.
#[derive(Debug)]
pub(super) struct PairOutcomes {
    /// The number of the entity's first prompt.
    pub(super) first_prompt: u32,
    /// The index of that prompt's first pair.
    pub(super) first_pair: usize,
    /// The number of the outcome of each pair from there on, as in
    /// [`Visibility::mentioned_brands`](facts::families::Visibility::mentioned_brands).
    outcomes: Vec<u32>,
}

impl PairOutcomes {
    /// Creates the outcomes of so many pairs, none of which has an answer.
    pub(super) fn new(first_prompt: u32, first_pair: usize, pairs: usize) -> Self {
        Self {
            first_prompt,
            first_pair,
            outcomes: vec![NO_ANSWER; pairs],
        }
    }

    /// Sets the outcome of the answer of a pair.
    pub(super) fn set(&mut self, pair: usize, outcome: u32) {
        let index = pair.checked_sub(self.first_pair);
        if let Some(of_pair) = index.and_then(|index| self.outcomes.get_mut(index)) {
            *of_pair = outcome;
        }
    }

    /// Returns whether each pair has an answer.
    pub(super) fn have_answers(&self) -> impl Iterator<Item = bool> {
        self.outcomes.iter().map(|outcome| *outcome != NO_ANSWER)
    }

    /// Returns for each pair what `of_outcomes` has for its outcome. `None` stands for a pair without an
    /// answer or one that `is_wanted`, which has a value for each pair of all entities, leaves out.
    pub(super) fn look_up<'a, T>(
        &'a self,
        of_outcomes: &'a [T],
        is_wanted: &'a [bool],
    ) -> impl Iterator<Item = Option<&'a T>> {
        let is_wanted = is_wanted.get(self.first_pair..).unwrap_or_default(); // It has all pairs.
        let pairs = self.outcomes.iter().zip(is_wanted);
        pairs.map(|(outcome, is_wanted)| of_outcomes.get(*outcome as usize).filter(|_| *is_wanted))
    }
}
