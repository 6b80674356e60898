//! A mention check: its plan, its shards, its answers.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::answer::{Citation, ResponseState};
use crate::limits::MAX_PROMPTS_PER_SHARD;
use crate::time::{Day, Timestamp};
use mentions::{BrandNames, RejectionReason};

/// A check's progress. Small, because its counter is written once per shard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Check {
    pub check: u32,
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
    pub prompts: Vec<u32>,
    pub models: Vec<PlanModel>,
    pub brands: Vec<PlanBrand>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlanModel {
    pub uuid: Uuid,
    pub ordinal: u32,
    /// Credits per answer, as of the claim.
    pub credits: u32,
}

/// A brand that the check knows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlanBrand {
    pub ordinal: u32,
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
    pub prompts: &'a [u32],
}

impl Plan {
    fn chunks(&self) -> usize {
        self.prompts.len().div_ceil(MAX_PROMPTS_PER_SHARD)
    }

    pub fn shards(&self) -> u32 {
        u32::try_from(self.chunks() * self.models.len()).unwrap_or(u32::MAX)
    }

    /// The questions of shard `n`; `None` if the plan has no such shard.
    pub fn shard(&self, n: u32) -> Option<ShardPlan<'_>> {
        let (n, chunks) = (usize::try_from(n).ok()?, self.chunks());
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
                brand: b.ordinal,
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
    pub prompt: u32,
    pub model: u32,
    pub state: ResponseState,
    pub answered_at: Timestamp,
    /// The answer's text; empty where there is none.
    pub text: String,
    pub citations: Vec<Citation>,
    pub queries: Vec<String>,
    pub searched: Option<bool>,
    pub truncated: bool,
    /// Ordinals of the brands mentioned, in order of first mention.
    pub brands: Vec<u32>,
    /// Brands that occur in a way that does not count, with the reason.
    pub not_mentioned: Vec<NotMentioned>,
    /// Why there is no answer.
    pub reason: Option<String>,
    pub usage: Usage,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NotMentioned {
    pub brand: u32,
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
    /// A question that was given up.
    pub fn failed(prompt: u32, model: u32, reason: &str, at: Timestamp) -> Self {
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
    pub shard: u32,
    pub state: ShardState,
    /// The worker that holds the lease, and until when.
    pub owner: Uuid,
    pub lease_until: Timestamp,
    /// Not to be taken up before this instant: the provider asked for a longer wait.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_before: Option<Timestamp>,
    /// Prompt ordinals whose response is recorded.
    #[serde(default)]
    pub recorded: std::collections::BTreeSet<u32>,
    /// Times each prompt was asked, by ordinal.
    #[serde(default)]
    pub asks: std::collections::BTreeMap<u32, u32>,
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
            prompts: (0..prompts).map(|p| p * 2).collect(),
            models: (0..models)
                .map(|m| PlanModel {
                    uuid: Uuid::from_u128(m.into()),
                    ordinal: m,
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
            let mut questions: Vec<(u32, u32)> = (0..plan.shards())
                .flat_map(|n| {
                    let shard = plan.shard(n).unwrap();
                    assert!(!shard.prompts.is_empty() && shard.prompts.len() <= MAX_PROMPTS_PER_SHARD);
                    shard
                        .prompts
                        .iter()
                        .map(|p| (shard.model.ordinal, *p))
                        .collect::<Vec<_>>()
                })
                .collect();
            questions.sort_unstable();
            let all: Vec<(u32, u32)> = (0..models)
                .flat_map(|m| plan.prompts.iter().map(move |p| (m, *p)))
                .collect();
            assert_eq!(questions, all);
            assert_eq!(plan.shard(plan.shards()), None);
        }
    }

    #[test]
    fn a_plan_costs_each_models_price_for_each_prompt() {
        assert_eq!(plan(10, 3).credits(), 10 * (1 + 2 + 3));
    }
}
