//! Requests to this API that return the figures of a recommendation.

use std::collections::BTreeMap;
use std::fmt::Display;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::id::{EntityId, PromptId};
use crate::period::DateRange;

/// A GET request to this API. The figures of the object that contains it can be computed from the response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "EvidenceQuery")]
pub struct ApiQuery {
    /// The path without the version prefix.
    #[schemars(length(min = 1), regex(pattern = "^/[a-z/-]+$"))]
    pub path: String,
    /// The query parameters. Lists are separated by commas.
    #[schemars(with = "crate::schema::QueryParameters")]
    pub parameters: BTreeMap<String, String>,
}

impl ApiQuery {
    /// Creates a request about the responses of a single entity on these days, without those of other group
    /// members.
    pub fn new(path: &str, entity: &EntityId, range: &DateRange) -> Self {
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

    /// Adds a query parameter.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Display) -> Self {
        self.parameters.insert(name.to_owned(), value.to_string());
        self
    }

    /// Restricts the request to these prompts. An empty list stands for all of them.
    #[must_use]
    pub fn with_prompts(self, prompts: &[PromptId]) -> Self {
        self.with_list("promptIds", prompts)
    }

    /// Restricts the request to these models. An empty list stands for all of them.
    #[must_use]
    pub fn with_models(self, models: &[Uuid]) -> Self {
        self.with_list("models", models)
    }

    fn with_list(self, name: &str, values: &[impl Display]) -> Self {
        if values.is_empty() {
            return self;
        }
        let values: Vec<String> = values.iter().map(ToString::to_string).collect();
        self.with(name, values.join(","))
    }
}
