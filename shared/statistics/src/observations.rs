//! All that was observed, by prompt.

use crate::observation::{Counts, Observation, Side};
use crate::pairs::Pair;

/// The answers of both windows. Slices of them are compared without copying.
#[derive(Debug, Default)]
pub struct Observations {
    prompts: Vec<PromptObservations>,
}

/// The answers to one prompt.
#[derive(Debug, Default)]
pub(crate) struct PromptObservations {
    /// One per model.
    pub(crate) pairs: Vec<Pair>,
    pub(crate) answers: Vec<ModelAnswers>,
}

/// What a model answered to the prompt on one day.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ModelAnswers {
    pub(crate) model: u32,
    pub(crate) day: u32,
    pub(crate) side: Side,
    pub(crate) counts: Counts,
}

impl Observations {
    /// Adds an observation. Several of one prompt, model and day add up, and take no more memory than one if they follow each other
    /// with no other day between them.
    pub fn add(&mut self, observation: Observation) {
        let Observation {
            prompt,
            model,
            side,
            day,
            counts,
        } = observation;
        if counts.total == 0 {
            return;
        }
        let of_prompt = entry(&mut self.prompts, prompt);
        entry(&mut of_prompt.pairs, model).add(side, counts);
        let of_day = of_prompt.answers.iter_mut().rev();
        let mut of_day = of_day.take_while(|answers| (answers.side, answers.day) == (side, day));
        if let Some(answers) = of_day.find(|answers| answers.model == model) {
            answers.counts.add(counts);
            return;
        }
        of_prompt.answers.push(ModelAnswers {
            model,
            day,
            side,
            counts,
        });
    }

    /// Returns the numbers of all prompts.
    pub fn prompts(&self) -> std::ops::Range<u32> {
        0..u32::try_from(self.prompts.len()).unwrap_or(u32::MAX)
    }

    /// Returns the sums of some prompts and models in the base and in the window.
    pub fn counts(
        &self,
        prompts: impl IntoIterator<Item = u32>,
        is_model: impl Fn(u32) -> bool + Copy,
    ) -> [Counts; 2] {
        let prompts = prompts.into_iter().filter_map(|prompt| self.of_prompt(prompt));
        sums(prompts.flat_map(|prompt| {
            let pairs = (0..).zip(&prompt.pairs);
            pairs
                .filter(move |(model, _)| is_model(*model))
                .map(|(_, pair)| pair)
        }))
    }

    /// Returns the sums of [`counts`](Self::counts) over the pairs that have a total in both windows, which are compared.
    pub fn compared_counts(
        &self,
        prompts: impl IntoIterator<Item = u32>,
        is_model: impl Fn(u32) -> bool + Copy,
    ) -> [Counts; 2] {
        let prompts = prompts.into_iter().filter_map(|prompt| self.of_prompt(prompt));
        sums(prompts.flat_map(|prompt| prompt.pairs(is_model)))
    }

    /// Returns the answers to a prompt, or `None` if there is none.
    pub(crate) fn of_prompt(&self, prompt: u32) -> Option<&PromptObservations> {
        self.prompts.get(prompt as usize)
    }
}

impl PromptObservations {
    /// Returns the pairs of some models that have answers in both windows.
    pub(crate) fn pairs(&self, is_model: impl Fn(u32) -> bool) -> impl Iterator<Item = &Pair> {
        let pairs = (0..).zip(&self.pairs);
        let selected = pairs.filter(move |(model, pair)| is_model(*model) && pair.weight() > 0.0);
        selected.map(|(_, pair)| pair)
    }
}

impl Extend<Observation> for Observations {
    fn extend<I: IntoIterator<Item = Observation>>(&mut self, observations: I) {
        for observation in observations {
            self.add(observation);
        }
    }
}

impl FromIterator<Observation> for Observations {
    fn from_iter<I: IntoIterator<Item = Observation>>(observations: I) -> Self {
        let mut all = Self::default();
        all.extend(observations);
        all
    }
}

/// Returns the sums of some pairs in the base and in the window.
fn sums<'a>(pairs: impl Iterator<Item = &'a Pair>) -> [Counts; 2] {
    pairs.fold([Counts::default(); 2], |mut sums, pair| {
        for side in Side::BOTH {
            sums[side.index()].add(pair.counts(side));
        }
        sums
    })
}

/// Returns the value at an index, which is created if there is none.
fn entry<T: Default>(values: &mut Vec<T>, index: u32) -> &mut T {
    let index = index as usize;
    if values.len() <= index {
        values.resize_with(index + 1, T::default);
    }
    &mut values[index]
}
