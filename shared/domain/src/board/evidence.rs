//! What a recommendation rests on, so that a client can check it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::SourceType;
use crate::id::PromptId;
use crate::metrics::Share;
use crate::period::Range;

/// The numbers behind a recommendation, and where they come from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    pub rule: SourceType,
    pub window: Window,
    pub prompt_ids: Vec<PromptId>,
    /// The uuids of the models that were asked.
    pub model_ids: Vec<Uuid>,
    /// Answered responses, and how many of them mention the brand.
    pub counts: Share,
    /// 100 × mentions / responses.
    pub score: Option<f64>,
    /// The score's Wilson interval at 95 %.
    pub interval: Option<[f64; 2]>,
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

/// The call of this API whose answer adds up to the counts. The path is without the version prefix.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Query {
    pub path: String,
    pub parameters: BTreeMap<String, String>,
}
