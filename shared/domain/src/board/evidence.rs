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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// The rule, and what it found.
    #[serde(flatten)]
    pub finding: Finding,
    /// The UTC days that the numbers are about.
    pub window: Window,
    /// The prompts that the recommendation is about. Empty if it is about the answers to all of them.
    #[cfg_attr(feature = "schema", schemars(length(max = crate::limits::MAX_EVIDENCE_PROMPTS)))]
    pub prompt_ids: Vec<PromptId>,
    /// The UUIDs of the models that were asked.
    pub model_ids: Vec<Uuid>,
    /// The request that gives the numbers again. Numbers with a query of their own are not in it.
    pub query: Query,
}

/// The UTC days that the numbers are about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct Window {
    /// The first UTC day.
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::IsoDay"))]
    pub start_date: String,
    /// The last UTC day. It counts.
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::IsoDay"))]
    pub end_date: String,
    /// The number of days.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = crate::limits::RECOMMENDATION_DAYS)))]
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

/// A GET request to this API. The numbers in its response add up to the numbers beside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "EvidenceQuery")
)]
pub struct Query {
    /// The path without the version prefix.
    #[cfg_attr(feature = "schema", schemars(length(min = 1), regex(pattern = "^/[a-z/-]+$")))]
    pub path: String,
    /// The query parameters. Lists are separated by commas.
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

/// The counts behind a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged, rename_all_fields = "camelCase")]
pub enum Counts {
    /// Answered responses, and how many of them mention the brand.
    Answers(Share),
    /// Citations, and how many of them are of the entity's own domains.
    Citations {
        /// How many of the citations are of the entity's own domains.
        own_citations: u64,
        /// The number of citations.
        citations: u64,
    },
}

/// Counts as they are shown.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Figures {
    /// The counts behind the score.
    pub counts: Counts,
    /// 100 × the first count / the second, with two decimals. Null if nothing was counted.
    #[cfg_attr(feature = "schema", schemars(with = "Option<crate::schema::Percentage>"))]
    pub score: Option<f64>,
    /// The low and the high end of the score's Wilson interval at 95 %, with two decimals. Null if nothing was counted.
    #[cfg_attr(feature = "schema", schemars(with = "Option<crate::schema::Interval>"))]
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

/// Figures of some days, with the request that gives them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Measure {
    /// The first UTC day.
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::IsoDay"))]
    pub start_date: String,
    /// The last UTC day. It counts.
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::IsoDay"))]
    pub end_date: String,
    #[serde(flatten)]
    pub figures: Figures,
    /// The request that gives the figures.
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
