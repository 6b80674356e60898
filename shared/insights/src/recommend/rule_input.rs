//! The input of the rules, and the figures that several of them need.

use std::collections::BTreeMap;

use domain::board::ApiQuery;
use domain::catalogue::Catalogue;
use domain::entity::Entity;
use domain::id::PromptId;
use domain::metrics::Share;
use domain::ordinal::{ModelOrdinal, PromptOrdinal};
use domain::ordinal_set::OrdinalSet;
use domain::period::DateRange;
use domain::prompt::Prompt;
use domain::text::excerpt;
use domain::time::Day;
use facts::figures::{VisibilityFilter, prompt_mentions, visibility_share};
use facts::{Selection, StringId};
use uuid::Uuid;

use super::entity_facts::{BrandContext, EntityFacts};

/// The maximum number of characters of a prompt in titles and descriptions.
const MAX_PROMPT_CHARS: usize = 90;

/// The input of the rules.
#[derive(Debug, Clone, Copy)]
pub struct RuleInput<'a> {
    pub entity: &'a Entity,
    /// All prompts of the entity, including those that are not asked any more.
    pub prompts: &'a [Prompt],
    pub catalogue: &'a Catalogue,
    pub brands: &'a BrandContext,
    pub facts: &'a EntityFacts,
    /// The day of the check, which is the last day of every window.
    pub day: Day,
}

impl<'a> RuleInput<'a> {
    /// Returns the range of days that all rules except `fanout_gap` consider.
    pub(super) fn window(&self) -> DateRange {
        DateRange::recommendations(self.day)
    }

    /// Returns the prompts that are still asked.
    pub(super) fn asked(&self) -> impl Iterator<Item = &'a Prompt> + use<'a> {
        self.prompts.iter().filter(|prompt| prompt.is_asked())
    }

    pub(super) fn asked_ordinals(&self) -> OrdinalSet<PromptOrdinal> {
        self.asked().map(|prompt| prompt.ordinal).collect()
    }

    /// Returns the visibility of the selected answers. `/trends/visibility` returns equal counts.
    pub(super) fn share(&self, range: &DateRange, selection: &Selection) -> Share {
        let filter = VisibilityFilter {
            brands: &self.brands.own,
            selection,
        };
        let checks = self.facts.visibility(range);
        checks.map(|(_, check)| visibility_share(check, filter)).sum()
    }

    /// Returns the number of answered responses.
    pub(super) fn answers(&self, range: &DateRange) -> u64 {
        self.share(range, &Selection::default()).responses
    }

    /// Returns the visibility by prompt ordinal. Prompts without an answer are left out.
    pub(super) fn shares(&self, range: &DateRange) -> BTreeMap<PromptOrdinal, Share> {
        let all = Selection::default();
        let checks = self.facts.visibility(range).map(|(_, check)| (check, &all));
        let mentions = prompt_mentions(checks, &self.brands.own);
        mentions
            .into_iter()
            .map(|(prompt, of)| (prompt, of.share))
            .collect()
    }

    /// Returns the citations of the entity's own domains, by prompt ordinal.
    pub(super) fn own_citations(&self, range: &DateRange) -> BTreeMap<PromptOrdinal, u64> {
        let (all, texts) = (Selection::default(), self.facts.domains());
        let own: Vec<StringId> = self
            .brands
            .own_domains()
            .into_iter()
            .filter_map(|d| texts.find(d))
            .collect();
        let mut counts = BTreeMap::new();
        for segment in self.facts.citations(range) {
            for citing in segment.citing(&all, |domain| own.contains(&domain)) {
                *counts.entry(citing.prompt).or_default() += citing.count;
            }
        }
        counts
    }

    pub(super) fn query(&self, path: &str, range: &DateRange) -> ApiQuery {
        ApiQuery::new(path, &self.entity.id, range)
    }

    pub(super) fn prompt_id(&self, ordinal: PromptOrdinal) -> PromptId {
        PromptId {
            entity: self.entity.id,
            ordinal,
        }
    }

    /// Returns the UUIDs of models by their ordinals.
    pub(super) fn model_ids(&self, ordinals: impl IntoIterator<Item = ModelOrdinal>) -> Vec<Uuid> {
        let uuid = |ordinal: ModelOrdinal| self.entity.model_ordinals.get(ordinal.index()).copied();
        ordinals.into_iter().filter_map(uuid).collect()
    }

    /// Returns the UUIDs of the models that were asked in the range.
    pub(super) fn models(&self, range: &DateRange) -> Vec<Uuid> {
        let asked: OrdinalSet<ModelOrdinal> = self.facts.models(range).into_values().flatten().collect();
        self.model_ids(asked.as_slice().iter().copied())
    }
}

/// Returns the text of a prompt, shortened for titles and descriptions.
pub(super) fn prompt_excerpt(prompt: &Prompt) -> String {
    excerpt(prompt.text.as_str(), MAX_PROMPT_CHARS)
}

/// Returns a count with its noun, such as `1 answer` or `2 answers`.
pub(super) fn pluralize(count: u64, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{ending}")
}
