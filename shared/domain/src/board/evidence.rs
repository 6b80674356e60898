//! What a recommendation rests on, so that a client can check it.

use std::collections::BTreeMap;
use std::fmt::Display;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::Finding;
use crate::id::{EntityId, PromptId};
use crate::metrics::{Share, percent};
use crate::period::Range;

/// The numbers behind a recommendation, and where they come from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// The rule, and what it found.
    #[serde(flatten)]
    pub finding: Finding,
    pub window: Window,
    /// The prompts that it is about; none: the answers to all of them.
    pub prompt_ids: Vec<PromptId>,
    /// The uuids of the models that were asked.
    pub model_ids: Vec<Uuid>,
    /// Gives the finding's numbers, but for those that stand beside a query of their own.
    pub query: Query,
}

/// The UTC days looked at, both ends included, as `YYYY-MM-DD`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Window {
    pub start_date: String,
    pub end_date: String,
    pub days: usize,
}

impl From<&Range> for Window {
    fn from(range: &Range) -> Self {
        Self {
            start_date: range.first.to_string(),
            end_date: range.last.to_string(),
            days: range.days().count(),
        }
    }
}

/// A call of this API whose answer adds up to the numbers beside it. The path is without the version prefix.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Query {
    pub path: String,
    pub parameters: BTreeMap<String, String>,
}

impl Query {
    /// About the tracking's own responses on these days.
    pub fn new(path: &str, entity: &EntityId, range: &Range) -> Self {
        let query = Self {
            path: path.to_owned(),
            parameters: BTreeMap::new(),
        };
        query
            .with("entityId", entity)
            .with("startDate", range.first)
            .with("endDate", range.last)
            .with("union", false)
    }

    #[must_use]
    pub fn with(mut self, name: &str, value: impl Display) -> Self {
        self.parameters.insert(name.to_owned(), value.to_string());
        self
    }

    /// Of these prompts; of none: of all.
    #[must_use]
    pub fn with_prompts(self, prompts: &[PromptId]) -> Self {
        self.with_all("promptIds", prompts)
    }

    /// Of these models; of none: of all.
    #[must_use]
    pub fn with_models(self, models: &[Uuid]) -> Self {
        self.with_all("models", models)
    }

    fn with_all(self, name: &str, values: &[impl Display]) -> Self {
        if values.is_empty() {
            return self;
        }
        let values: Vec<String> = values.iter().map(ToString::to_string).collect();
        self.with(name, values.join(","))
    }
}

/// What was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
pub enum Counts {
    /// Answered responses, and how many of them mention the brand.
    Answers(Share),
    /// Citations, and how many of them are of the entity's own domains.
    Citations { own_citations: u64, citations: u64 },
}

/// Counts as they are shown.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    pub counts: Counts,
    /// 100 × the one count / the other.
    pub score: Option<f64>,
    /// The score's Wilson interval at 95 %.
    pub interval: Option<[f64; 2]>,
}

impl From<Share> for Figures {
    fn from(share: Share) -> Self {
        Counts::Answers(share).into()
    }
}

impl From<Counts> for Figures {
    fn from(counts: Counts) -> Self {
        let share = counts.share();
        Self {
            counts,
            score: percent(share.mentions, share.responses),
            interval: share.interval(),
        }
    }
}

impl Counts {
    /// As one proportion.
    pub fn share(self) -> Share {
        match self {
            Self::Answers(share) => share,
            Self::Citations {
                own_citations,
                citations,
            } => Share {
                mentions: own_citations,
                responses: citations,
            },
        }
    }
}

/// Figures of some days, with the call that gives them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Measure {
    pub start_date: String,
    pub end_date: String,
    #[serde(flatten)]
    pub figures: Figures,
    pub query: Query,
}

impl Measure {
    pub fn new(range: &Range, figures: impl Into<Figures>, query: Query) -> Self {
        Self {
            start_date: range.first.to_string(),
            end_date: range.last.to_string(),
            figures: figures.into(),
            query,
        }
    }
}
