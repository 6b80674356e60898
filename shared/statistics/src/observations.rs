//! All that was observed, by day.

use crate::observation::{Counts, Observation, Side};
use crate::pairs::Pair;

/// The answers of both windows. Slices of them are compared without copying.
///
/// Each day takes 8 bytes per prompt and model.
#[derive(Debug, Default)]
pub struct Observations {
    prompts: u32,
    models: usize,
    /// All pairs. A pair has the index prompt × models + model.
    pairs: Vec<Pair>,
    /// The counts of each pair on each day of the windows. A day without answers has none.
    days: [Vec<Vec<DayCounts>>; 2],
}

/// The counts of a pair on one day.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct DayCounts {
    count: u32,
    total: u32,
}

impl DayCounts {
    fn add(&mut self, counts: Counts) {
        let [count, total] = [counts.count, counts.total].map(|n| u32::try_from(n).unwrap_or(u32::MAX)); // Saturates.
        self.count = self.count.saturating_add(count);
        self.total = self.total.saturating_add(total);
    }

    /// Returns the counts, or `None` without a total.
    pub(crate) fn get(self) -> Option<Counts> {
        (self.total > 0).then(|| Counts {
            count: self.count.into(),
            total: self.total.into(),
        })
    }
}

/// The answers of one day, to which more can be added.
#[derive(Debug)]
pub struct DayObservations<'a> {
    side: Side,
    models: usize,
    pairs: &'a mut [Pair],
    day: &'a mut [DayCounts],
}

impl DayObservations<'_> {
    /// Adds what a model answered to a prompt. Several of them add up. Prompts and models without a number
    /// are left out.
    #[inline]
    pub fn add(&mut self, prompt: u32, model: u32, counts: Counts) {
        let (prompt, model) = (prompt as usize, model as usize);
        if counts.total == 0 || model >= self.models {
            return;
        }
        self.add_pairs(prompt * self.models + model, [counts]);
    }

    /// Adds what all models answered to the prompts from this one on, by prompt, then model. Counts without a
    /// total are no answer.
    #[inline]
    pub fn add_all(&mut self, first_prompt: u32, counts: impl IntoIterator<Item = Counts>) {
        self.add_pairs(first_prompt as usize * self.models, counts);
    }

    #[inline]
    fn add_pairs(&mut self, first: usize, counts: impl IntoIterator<Item = Counts>) {
        let pairs = self.pairs.iter_mut().skip(first);
        let pairs = pairs.zip(self.day.iter_mut().skip(first));
        for ((pair, day), counts) in pairs.zip(counts) {
            if counts.total > 0 {
                pair.add(self.side, counts);
                day.add(counts);
            }
        }
    }
}

impl Observations {
    /// Creates observations of prompts and models that are numbered from 0.
    pub fn new(prompts: u32, models: u32) -> Self {
        let models = models as usize;
        Self {
            prompts,
            models,
            pairs: vec![Pair::default(); prompts as usize * models],
            days: Default::default(),
        }
    }

    /// Returns the answers of a day of a window, to add some.
    pub fn day(&mut self, side: Side, day: u32) -> DayObservations<'_> {
        let (days, day) = (&mut self.days[side.index()], day as usize);
        if days.len() <= day {
            days.resize_with(day + 1, Vec::new);
        }
        days[day].resize(self.pairs.len(), DayCounts::default());
        DayObservations {
            side,
            models: self.models,
            pairs: &mut self.pairs,
            day: &mut days[day],
        }
    }

    /// Adds an observation.
    pub fn add(&mut self, observation: Observation) {
        self.day(observation.side, observation.day).add(
            observation.prompt,
            observation.model,
            observation.counts,
        );
    }

    /// Returns the numbers of all prompts.
    pub fn prompts(&self) -> std::ops::Range<u32> {
        0..self.prompts
    }

    /// Returns the sums of some prompts and models in the base and in the window.
    pub fn counts(
        &self,
        prompts: impl IntoIterator<Item = u32>,
        is_model: impl Fn(u32) -> bool + Copy,
    ) -> [Counts; 2] {
        let prompts = prompts.into_iter();
        sums(prompts.flat_map(|prompt| self.pairs_of(prompt, is_model).map(|(_, pair)| pair)))
    }

    /// Returns the sums of [`counts`](Self::counts) over the pairs that have a total in both windows, which
    /// are compared.
    pub fn compared_counts(
        &self,
        prompts: impl IntoIterator<Item = u32>,
        is_model: impl Fn(u32) -> bool + Copy,
    ) -> [Counts; 2] {
        let prompts = prompts.into_iter();
        sums(prompts.flat_map(|prompt| self.compared_pairs_of(prompt, is_model).map(|(_, pair)| pair)))
    }

    /// Returns the pairs of a prompt and some models, with their indexes.
    fn pairs_of(&self, prompt: u32, is_model: impl Fn(u32) -> bool) -> impl Iterator<Item = (usize, &Pair)> {
        let first = prompt as usize * self.models;
        let of_prompt = self.pairs.get(first..first + self.models).into_iter().flatten();
        let numbered = (0..).zip((first..).zip(of_prompt));
        numbered
            .filter(move |(model, _)| is_model(*model))
            .map(|(_, pair)| pair)
    }

    /// Returns the pairs of a prompt and some models that have a weight, with their indexes.
    pub(crate) fn compared_pairs_of(
        &self,
        prompt: u32,
        is_model: impl Fn(u32) -> bool,
    ) -> impl Iterator<Item = (usize, &Pair)> {
        self.pairs_of(prompt, is_model)
            .filter(|(_, pair)| pair.has_weight())
    }

    /// Returns the counts of all pairs on each day of a window that has some.
    pub(crate) fn days(&self, side: Side) -> impl Iterator<Item = &[DayCounts]> {
        let days = self.days[side.index()].iter();
        days.map(Vec::as_slice).filter(|day| !day.is_empty())
    }
}

impl FromIterator<Observation> for Observations {
    fn from_iter<I: IntoIterator<Item = Observation>>(observations: I) -> Self {
        let observations: Vec<Observation> = observations.into_iter().collect();
        let count = |number: fn(&Observation) -> u32| observations.iter().map(|of| number(of) + 1).max();
        let [prompts, models] = [count(|of| of.prompt), count(|of| of.model)].map(Option::unwrap_or_default);
        let mut all = Self::new(prompts, models);
        observations
            .into_iter()
            .for_each(|observation| all.add(observation));
        all
    }
}

fn sums<'a>(pairs: impl Iterator<Item = &'a Pair>) -> [Counts; 2] {
    pairs.fold([Counts::default(); 2], |mut sums, pair| {
        for side in Side::BOTH {
            sums[side.index()].add(pair.counts(side));
        }
        sums
    })
}
