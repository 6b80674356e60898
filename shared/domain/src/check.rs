//! A mention check: its plan, its shards, its answers.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::answer::{Citation, ResponseState};
use crate::check_key::CheckKey;
use crate::facts::codec::Cell;
use crate::limits::MAX_PROMPTS_PER_SHARD;
use crate::ordinal::{BrandOrdinal, CheckNumber, ModelOrdinal, PromptOrdinal, ShardNumber};
use crate::time::{Day, Timestamp};
use mentions::{BrandNames, RejectionReason};

/// A check's progress. Small, because its counter is written once per shard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Check {
    pub check: CheckNumber,
    pub state: CheckState,
    pub claimed_at: Timestamp,
    pub deadline: Timestamp,
    pub shards: u32,
    pub shards_left: u32,
    /// Credits set aside by the claim.
    pub reserved: i64,
}

impl Check {
    /// The UTC day on which the check was claimed: every response of it lies on that day.
    pub fn day(&self) -> Day {
        self.claimed_at.day()
    }

    pub fn shard_numbers(&self) -> impl Iterator<Item = ShardNumber> + use<> {
        (0..self.shards).map(ShardNumber::new)
    }

    /// Returns the key of its responses and segments.
    pub fn key(&self) -> CheckKey {
        CheckKey {
            day: self.day(),
            check: self.check,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckState {
    Running,
    Complete,
    /// Closed at its deadline with questions still open.
    Partial,
}

/// What a check asks, fixed when it is claimed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    pub prompts: Vec<PromptOrdinal>,
    pub models: Vec<PlanModel>,
    pub brands: Vec<PlanBrand>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlanModel {
    pub uuid: Uuid,
    pub ordinal: ModelOrdinal,
    /// Credits per answer, as of the claim.
    pub credits: u32,
}

/// A brand that the check knows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlanBrand {
    pub ordinal: BrandOrdinal,
    pub name: String,
    #[serde(default)]
    pub aliases: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
}

/// One shard's questions: one model and up to 25 prompts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShardPlan<'a> {
    pub model: &'a PlanModel,
    pub prompts: &'a [PromptOrdinal],
}

impl Plan {
    fn chunks(&self) -> usize {
        self.prompts.len().div_ceil(MAX_PROMPTS_PER_SHARD)
    }

    /// Returns the number of shards.
    pub fn shards(&self) -> u32 {
        u32::try_from(self.chunks() * self.models.len()).unwrap_or(u32::MAX)
    }

    pub fn shard_numbers(&self) -> impl Iterator<Item = ShardNumber> + use<> {
        (0..self.shards()).map(ShardNumber::new)
    }

    /// Returns the questions of a shard, or `None` if the plan has no such shard.
    pub fn shard(&self, shard: ShardNumber) -> Option<ShardPlan<'_>> {
        let (n, chunks) = (shard.index(), self.chunks());
        let model = self.models.get(n.checked_div(chunks)?)?;
        let prompts = self.prompts.chunks(MAX_PROMPTS_PER_SHARD).nth(n % chunks)?;
        Some(ShardPlan { model, prompts })
    }

    /// What the whole check can cost.
    pub fn credits(&self) -> i64 {
        let per_prompt: i64 = self.models.iter().map(|m| i64::from(m.credits)).sum();
        per_prompt * i64::try_from(self.prompts.len()).unwrap_or(i64::MAX)
    }

    pub fn brand_names(&self) -> Vec<BrandNames> {
        self.brands
            .iter()
            .map(|b| BrandNames {
                brand: b.ordinal.get(),
                name: b.name.clone(),
                aliases: b.aliases.clone(),
                domain: b.domain.clone(),
            })
            .collect()
    }
}

/// One response as it is recorded: kept for 90 days, folded into facts when the check finishes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    pub prompt: PromptOrdinal,
    pub model: ModelOrdinal,
    pub state: ResponseState,
    pub answered_at: Timestamp,
    /// The answer's text; empty where there is none.
    pub text: String,
    pub citations: Vec<Citation>,
    pub queries: Vec<String>,
    pub searched: Option<bool>,
    pub truncated: bool,
    /// Ordinals of the brands mentioned, in order of first mention.
    pub brands: Vec<BrandOrdinal>,
    /// Brands that occur in a way that does not count, with the reason.
    pub not_mentioned: Vec<NotMentioned>,
    /// Why there is no answer.
    pub reason: Option<String>,
    pub usage: Usage,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NotMentioned {
    pub brand: BrandOrdinal,
    pub reason: RejectionReason,
}

/// What the provider says the answer took.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    pub input_tokens: u64,
    pub output_tokens: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_micros: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_version: Option<String>,
}

impl Response {
    /// Returns the prompt and the model that it answers.
    pub fn cell(&self) -> Cell {
        Cell {
            prompt: self.prompt,
            model: self.model,
        }
    }

    /// A question that was given up.
    pub fn failed(prompt: PromptOrdinal, model: ModelOrdinal, reason: &str, at: Timestamp) -> Self {
        Self {
            prompt,
            model,
            state: ResponseState::Failed,
            answered_at: at,
            text: String::new(),
            citations: Vec::new(),
            queries: Vec::new(),
            searched: None,
            truncated: false,
            brands: Vec::new(),
            not_mentioned: Vec::new(),
            reason: Some(reason.to_owned()),
            usage: Usage::default(),
        }
    }
}

/// A shard's progress.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Shard {
    pub shard: ShardNumber,
    pub state: ShardState,
    /// The worker that holds the lease, and until when.
    pub owner: Uuid,
    pub lease_until: Timestamp,
    /// Not to be taken up before this instant: the provider asked for a longer wait.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_before: Option<Timestamp>,
    /// Prompt ordinals whose response is recorded.
    #[serde(default)]
    pub recorded: std::collections::BTreeSet<PromptOrdinal>,
    /// Times each prompt was asked, by ordinal.
    #[serde(default)]
    pub asks: std::collections::BTreeMap<PromptOrdinal, u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<crate::entity::Problem>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ShardState {
    Open,
    Done,
    /// Closed at the check's deadline: no answer is taken any more.
    Closed,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(prompts: u32, models: u32) -> Plan {
        Plan {
            prompts: (0..prompts).map(|p| PromptOrdinal::new(p * 2)).collect(),
            models: (0..models)
                .map(|m| PlanModel {
                    uuid: Uuid::from_u128(m.into()),
                    ordinal: m.into(),
                    credits: m + 1,
                })
                .collect(),
            brands: Vec::new(),
        }
    }

    #[test]
    fn every_question_lies_in_exactly_one_shard() {
        for (prompts, models) in [(1, 1), (25, 2), (26, 3), (200, 5), (0, 3)] {
            let plan = plan(prompts, models);
            let mut questions: Vec<(ModelOrdinal, PromptOrdinal)> = (0..plan.shards())
                .flat_map(|n| {
                    let shard = plan.shard(n.into()).unwrap();
                    assert!(!shard.prompts.is_empty() && shard.prompts.len() <= MAX_PROMPTS_PER_SHARD);
                    shard
                        .prompts
                        .iter()
                        .map(|p| (shard.model.ordinal, *p))
                        .collect::<Vec<_>>()
                })
                .collect();
            questions.sort_unstable();
            let all: Vec<(ModelOrdinal, PromptOrdinal)> = (0..models)
                .flat_map(|m| plan.prompts.iter().map(move |p| (m.into(), *p)))
                .collect();
            assert_eq!(questions, all);
            assert_eq!(plan.shard(plan.shards().into()), None);
        }
    }

    #[test]
    fn a_plan_costs_each_models_price_for_each_prompt() {
        assert_eq!(plan(10, 3).credits(), 10 * (1 + 2 + 3));
    }
}
