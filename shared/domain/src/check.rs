//! Checks, with their plans, shards and responses.

mod shards;

use mentions::{BrandNames, RejectionReason};
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;
use uuid::Uuid;

use crate::admission::FairTime;
use crate::answer::{Citation, ResponseState};
use crate::cell::Cell;
use crate::check_key::CheckKey;
use crate::limits::MAX_PROMPTS_PER_SHARD;
use crate::ordinal::{BrandOrdinal, CheckNumber, ModelOrdinal, PromptOrdinal, ShardNumber};
use crate::reading::Reading;
use crate::time::{Day, Timestamp};

pub use shards::{Publication, Shard, ShardList, ShardLists, ShardState, Transition};

/// The progress of a check. The record is small, because it is written several times per shard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Check {
    pub check: CheckNumber,
    pub state: CheckState,
    pub claimed_at: Timestamp,
    /// When a worker took up the first shard. `None` as long as the check waits for a worker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<Timestamp>,
    /// When the check is closed if all its shards have been taken up. Each shard that is taken up for the
    /// first time moves the deadline to two hours later. `None` as long as the check waits for a worker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline: Option<Timestamp>,
    /// The end of the latest time in which the service was down. The deadline has moved by that time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub down_until: Option<Timestamp>,
    #[serde(flatten)]
    pub shards: ShardLists,
    /// The credits that the claim reserved.
    pub reserved: i64,
    /// The check's turn among the running checks. `None` before its first admission.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<FairTime>,
    /// The instant at which the answers so far were folded into interim facts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folded_at: Option<Timestamp>,
}

impl Check {
    /// Returns the UTC day on which the check was claimed. All of its responses count on that day.
    pub fn day(&self) -> Day {
        self.claimed_at.day()
    }

    /// Returns whether the check is closed at `now`: its deadline has passed, and no shard waits for its
    /// first worker.
    pub fn is_closed_at(&self, now: Timestamp) -> bool {
        self.shards.none_is_unpublished_or_published()
            && self.deadline.is_some_and(|deadline| now >= deadline)
    }

    /// Returns the key of the check's responses and segments.
    pub fn key(&self) -> CheckKey {
        CheckKey {
            day: self.day(),
            check: self.check,
        }
    }
}

/// The state of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum CheckState {
    Running,
    Complete,
    /// The check was closed at its deadline with open questions.
    Partial,
}

/// How a check ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndState {
    Complete,
    /// The check is closed at its deadline with open questions.
    Partial,
}

impl EndState {
    /// Returns the state of a check that has ended like this.
    pub const fn state(self) -> CheckState {
        match self {
            Self::Complete => CheckState::Complete,
            Self::Partial => CheckState::Partial,
        }
    }
}

/// What a check asks. It is fixed by the claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    pub prompts: Vec<PromptOrdinal>,
    pub models: Vec<PlanModel>,
    pub brands: Vec<PlanBrand>,
}

/// A model that a check asks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlanModel {
    pub uuid: Uuid,
    pub ordinal: ModelOrdinal,
    /// The price of an answer in credits at the time of the claim.
    pub credits: u32,
}

/// A brand whose mentions a check reads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlanBrand {
    pub ordinal: BrandOrdinal,
    pub name: String,
    pub aliases: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
}

/// The questions of a shard, which are one model and up to 25 prompts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShardPlan<'a> {
    pub model: &'a PlanModel,
    pub prompts: &'a [PromptOrdinal],
}

impl Plan {
    /// Returns the number of shards per model.
    fn shards_per_model(&self) -> usize {
        self.prompts.len().div_ceil(MAX_PROMPTS_PER_SHARD)
    }

    /// Returns the number of shards.
    pub fn shards(&self) -> u32 {
        let shards = self.shards_per_model() * self.models.len();
        u32::try_from(shards).unwrap_or(u32::MAX) // A plan that large fits into no item.
    }

    pub fn shard_numbers(&self) -> impl Iterator<Item = ShardNumber> + use<> {
        (0..self.shards()).map(ShardNumber::new)
    }

    /// Returns the questions of a shard, or `None` if the plan has no such shard.
    pub fn shard(&self, shard: ShardNumber) -> Option<ShardPlan<'_>> {
        let (index, per_model) = (shard.index(), self.shards_per_model());
        let model = self.models.get(index.checked_div(per_model)?)?;
        let prompts = self
            .prompts
            .chunks(MAX_PROMPTS_PER_SHARD)
            .nth(index % per_model)?;
        Some(ShardPlan { model, prompts })
    }

    /// Returns the maximum cost of the check in credits.
    pub fn credits(&self) -> i64 {
        let per_prompt: i64 = self.models.iter().map(|m| i64::from(m.credits)).sum();
        self.prompts.iter().map(|_| per_prompt).sum()
    }

    /// Returns how the answers of the check are read by the current rules.
    pub fn reading(&self) -> Reading {
        Reading::of(&brand_names(&self.brands))
    }
}

/// Returns the names by which answers can mention the brands.
pub fn brand_names(brands: &[PlanBrand]) -> Vec<BrandNames> {
    brands
        .iter()
        .map(|b| BrandNames {
            brand: b.ordinal.get(),
            name: b.name.clone(),
            aliases: b.aliases.clone(),
            domain: b.domain.clone(),
        })
        .collect()
}

/// A recorded response. It becomes facts at the latest when the check finishes, and is itself kept for 90
/// days by default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    pub prompt: PromptOrdinal,
    pub model: ModelOrdinal,
    pub state: ResponseState,
    pub answered_at: Timestamp,
    /// The answer's text, or an empty text if there is no answer.
    pub text: String,
    /// What the model said beside the answer. It is shown, but not read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub narration: Vec<String>,
    pub citations: Vec<Citation>,
    /// The number of reported sources whose page cannot be told.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unresolved_citations: u32,
    /// Whether the answer cites more than could be stored.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub citations_truncated: bool,
    /// The web searches that the model ran, in order, including repeated ones.
    pub queries: Vec<String>,
    /// Whether the model searched the web, or `None` if the provider does not report it.
    pub searched: Option<bool>,
    pub truncated: bool,
    /// The ordinals of the mentioned brands, in order of first mention.
    pub brands: Vec<BrandOrdinal>,
    /// The brands that occur in the text without being mentioned.
    pub not_mentioned: Vec<NotMentioned>,
    /// How `brands` and `not_mentioned` were read from the text. `None` if nothing was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reading: Option<Reading>,
    /// The reason why there is no answer.
    pub reason: Option<String>,
    pub usage: Usage,
}

/// A brand that occurs in an answer in a way that does not count, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NotMentioned {
    pub brand: BrandOrdinal,
    pub reason: RejectionReason,
}

/// The tokens and the cost of an answer, as the provider reports them.
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

fn is_zero(count: &u32) -> bool {
    *count == 0
}

impl Response {
    /// Returns the prompt and the model of the response.
    pub fn cell(&self) -> Cell {
        Cell {
            prompt: self.prompt,
            model: self.model,
        }
    }

    /// Creates the response to a question that failed at `at`.
    pub fn failed(prompt: PromptOrdinal, model: ModelOrdinal, reason: &str, at: Timestamp) -> Self {
        Self {
            prompt,
            model,
            state: ResponseState::Failed,
            answered_at: at,
            text: String::new(),
            narration: Vec::new(),
            citations: Vec::new(),
            unresolved_citations: 0,
            citations_truncated: false,
            queries: Vec::new(),
            searched: None,
            truncated: false,
            brands: Vec::new(),
            not_mentioned: Vec::new(),
            reading: None,
            reason: Some(reason.to_owned()),
            usage: Usage::default(),
        }
    }
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
    fn every_question_is_in_exactly_one_shard() {
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
    fn a_stored_response_without_narration_has_none() {
        let mut response = Response::failed(1.into(), 2.into(), "", Timestamp::from_millis(3));
        let stored = serde_json::to_value(&response).unwrap();
        assert_eq!(stored.get("narration"), None);
        assert_eq!(serde_json::from_value::<Response>(stored).unwrap(), response);
        response.narration = vec!["I will look.".to_owned()];
        let stored = serde_json::to_value(&response).unwrap();
        assert_eq!(serde_json::from_value::<Response>(stored).unwrap(), response);
    }

    #[test]
    fn a_plan_costs_each_models_price_for_each_prompt() {
        assert_eq!(plan(10, 3).credits(), 10 * (1 + 2 + 3));
    }
}
