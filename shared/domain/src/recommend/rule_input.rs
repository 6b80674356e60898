//! What the rules look at, and the figures that several of them need.

use std::collections::BTreeMap;

use uuid::Uuid;

use super::{Brands, Facts};
use crate::board::Query;
use crate::catalogue::Catalogue;
use crate::entity::Entity;
use crate::facts::questions::prompt_mentions;
use crate::facts::questions::{VisibilityFilter, visibility_share};
use crate::facts::{OrdinalSet, Selection};
use crate::id::PromptId;
use crate::metrics::Share;
use crate::period::Range;
use crate::prompt::Prompt;
use crate::text::shortened;
use crate::time::Day;

/// How much of a prompt's text is shown, in characters.
const PROMPT_SHOWN: usize = 90;

/// What the rules look at.
#[derive(Debug, Clone, Copy)]
pub struct Observed<'a> {
    pub entity: &'a Entity,
    /// The entity's prompts, whether asked or not.
    pub prompts: &'a [Prompt],
    pub catalogue: &'a Catalogue,
    pub brands: &'a Brands,
    pub facts: &'a Facts,
    /// The day of the check: windows end with it.
    pub day: Day,
}

impl<'a> Observed<'a> {
    /// The days of all rules but those on web searches.
    pub(super) fn window(&self) -> Range {
        Range::recommendations(self.day)
    }

    /// The prompts that are asked now.
    pub(super) fn asked(&self) -> impl Iterator<Item = &'a Prompt> + use<'a> {
        self.prompts.iter().filter(|prompt| prompt.is_asked())
    }

    pub(super) fn asked_ordinals(&self) -> OrdinalSet {
        self.asked().map(|prompt| prompt.ordinal).collect()
    }

    /// As `/trends/visibility` adds up.
    pub(super) fn share(&self, range: &Range, selection: &Selection) -> Share {
        let question = VisibilityFilter {
            brands: self.brands.own.clone(),
            selection: selection.clone(),
        };
        let checks = self.facts.visibility(range);
        checks.map(|(_, check)| visibility_share(check, &question)).sum()
    }

    /// All answered responses.
    pub(super) fn answers(&self, range: &Range) -> u64 {
        self.share(range, &Selection::default()).responses
    }

    /// The same prompt by prompt, by ordinal: those that were answered.
    pub(super) fn shares(&self, range: &Range) -> BTreeMap<u32, Share> {
        let all = Selection::default();
        let checks = self.facts.visibility(range).map(|(_, check)| (check, &all));
        let mentions = prompt_mentions(checks, &self.brands.own);
        mentions
            .into_iter()
            .map(|(prompt, of)| (prompt, of.share))
            .collect()
    }

    /// Citations of the entity's own domains in the answers to each prompt, by ordinal.
    pub(super) fn own_citations(&self, range: &Range) -> BTreeMap<u32, u64> {
        let (all, texts) = (Selection::default(), self.facts.domains());
        let own: Vec<u32> = self
            .brands
            .own_domains()
            .into_iter()
            .filter_map(|d| texts.find(d))
            .collect();
        let mut counts = BTreeMap::new();
        for part in self.facts.citations(range, &all) {
            for (_, prompt, times) in part.segment.citing(&all, |domain| own.contains(&domain)) {
                *counts.entry(prompt).or_default() += times;
            }
        }
        counts
    }

    pub(super) fn query(&self, path: &str, range: &Range) -> Query {
        Query::new(path, &self.entity.id, range)
    }

    pub(super) fn prompt_id(&self, ordinal: u32) -> PromptId {
        PromptId {
            entity: self.entity.id.clone(),
            ordinal,
        }
    }

    /// The uuids of models by their ordinals.
    pub(super) fn model_ids(&self, ordinals: impl IntoIterator<Item = u32>) -> Vec<Uuid> {
        let uuid = |ordinal| {
            let place = usize::try_from(ordinal).ok()?;
            self.entity.model_ordinals.get(place).copied()
        };
        ordinals.into_iter().filter_map(uuid).collect()
    }

    /// The models that were asked anything.
    pub(super) fn models(&self, range: &Range) -> Vec<Uuid> {
        let asked: OrdinalSet = self.facts.models(range).into_values().flatten().collect();
        self.model_ids(asked.as_slice().iter().copied())
    }
}

/// A prompt's text as titles and descriptions show it.
pub(super) fn question(prompt: &Prompt) -> String {
    shortened(prompt.text.as_str(), PROMPT_SHOWN)
}

/// `1 answer`, `2 answers`.
pub(super) fn counted(count: u64, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{ending}")
}
