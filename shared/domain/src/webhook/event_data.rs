//! What events tell: ids, figures with their counts and intervals, and the requests that return them. Never
//! the text of an answer.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::event_kind::EventKind;
use crate::board::{ApiQuery, Measurement, Outcome, Priority, SourceType};
use crate::id::{ActionableId, EntityId, WebhookId};
use crate::ordinal::CheckNumber;
use crate::time::Timestamp;

/// The data of an event, by its kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", content = "data")]
pub enum EventData {
    #[serde(rename = "check.completed")]
    CheckCompleted(CheckEnd),
    #[serde(rename = "check.partial")]
    CheckPartial(CheckEnd),
    #[serde(rename = "visibility.changed")]
    VisibilityChanged(Box<VisibilityChange>),
    #[serde(rename = "recommendation.created")]
    RecommendationCreated(CreatedRecommendations),
    #[serde(rename = "recommendation.outcome")]
    RecommendationOutcome(RecordedOutcomes),
    #[serde(rename = "provider.paused")]
    ProviderPaused(ProviderPaused),
    #[serde(rename = "credits.low")]
    CreditsLow(CreditsLow),
    #[serde(rename = "webhook.disabled")]
    WebhookDisabled(WebhookDisabled),
    #[serde(rename = "webhook.test")]
    WebhookTest(TestMessage),
}

impl EventData {
    pub fn kind(&self) -> EventKind {
        match self {
            Self::CheckCompleted(_) => EventKind::CheckCompleted,
            Self::CheckPartial(_) => EventKind::CheckPartial,
            Self::VisibilityChanged(_) => EventKind::VisibilityChanged,
            Self::RecommendationCreated(_) => EventKind::RecommendationCreated,
            Self::RecommendationOutcome(_) => EventKind::RecommendationOutcome,
            Self::ProviderPaused(_) => EventKind::ProviderPaused,
            Self::CreditsLow(_) => EventKind::CreditsLow,
            Self::WebhookDisabled(_) => EventKind::WebhookDisabled,
            Self::WebhookTest(_) => EventKind::WebhookTest,
        }
    }

    /// Chooses the titles for a webhook. One that is bound to entities is not told the names of other brands.
    pub(super) fn choose_titles(&mut self, is_bound: bool) {
        let choose = |title: &mut String, unnamed: &mut Option<String>| {
            if let Some(unnamed) = unnamed.take().filter(|_| is_bound) {
                *title = unnamed;
            }
        };
        match self {
            Self::RecommendationCreated(created) => {
                for new in &mut created.recommendations {
                    choose(&mut new.title, &mut new.unnamed_title);
                }
            }
            Self::RecommendationOutcome(recorded) => {
                for done in &mut recorded.outcomes {
                    choose(&mut done.title, &mut done.unnamed_title);
                }
            }
            _ => {}
        }
    }

    /// Returns the data without the kind, as JSON.
    pub(super) fn payload(&self) -> serde_json::Value {
        let Ok(serde_json::Value::Object(mut tagged)) = serde_json::to_value(self) else {
            return serde_json::Value::Null;
        };
        tagged.remove("data").into()
    }
}

/// The end of a check.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "CheckEndEvent")]
#[serde(rename_all = "camelCase")]
pub struct CheckEnd {
    /// The entity's id.
    pub entity_id: EntityId,
    /// The entity's name.
    pub name: String,
    /// The number of the check. The checks of an entity are numbered from 1 on.
    #[schemars(with = "u32")]
    pub check: CheckNumber,
    /// The visibility of the check's UTC day, with the request that returns it.
    pub visibility: Measurement,
    /// Why questions have no answer. Empty if all of them have one.
    pub problems: Vec<CheckProblem>,
}

/// Why questions of a check have no answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "CheckProblemOfEvent")]
#[serde(rename_all = "camelCase")]
pub struct CheckProblem {
    /// The provider. Null if the problem concerns none.
    pub provider: Option<String>,
    /// The UUID of the model. Null if the problem concerns all of the provider's models.
    pub model_id: Option<Uuid>,
    /// The reason.
    pub reason: String,
}

/// A change of an entity's visibility that chance does not explain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "VisibilityChangedEvent")]
#[serde(rename_all = "camelCase")]
pub struct VisibilityChange {
    /// The entity's id.
    pub entity_id: EntityId,
    /// The entity's name.
    pub name: String,
    /// The visibility of the latest days, in the answers that are comparable with those of the days before.
    pub window: Measurement,
    /// The visibility of the days before them.
    pub base: Measurement,
    /// The score of the window less that of the base, in percentage points with two decimals.
    pub change: f64,
    /// The low and the high end of the change's interval at 95 %, with two decimals.
    pub change_interval: [f64; 2],
    /// The probability of a change at least as large if nothing has changed.
    pub p_value: f64,
    /// The request that returns the comparison.
    pub query: ApiQuery,
}

/// The new recommendations of a check.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "RecommendationCreatedEvent")]
#[serde(rename_all = "camelCase")]
pub struct CreatedRecommendations {
    /// The entity's id.
    pub entity_id: EntityId,
    /// The entity's name.
    pub name: String,
    /// The recommendations, the one with the greatest impact first.
    pub recommendations: Vec<CreatedRecommendation>,
}

/// A new recommendation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "CreatedRecommendation")]
#[serde(rename_all = "camelCase")]
pub struct CreatedRecommendation {
    /// The id of the actionable.
    pub actionable_id: ActionableId,
    /// What to do.
    pub title: String,
    /// The title for a webhook that is bound to entities, if it differs. No webhook is told both.
    #[schemars(skip)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unnamed_title: Option<String>,
    /// How much there is to gain.
    pub priority: Priority,
    /// The rule that found it.
    pub source_type: SourceType,
    /// The request that returns the figures of the finding.
    pub query: ApiQuery,
}

/// The outcomes of completed tasks that a check has recorded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "RecommendationOutcomeEvent")]
#[serde(rename_all = "camelCase")]
pub struct RecordedOutcomes {
    /// The entity's id.
    pub entity_id: EntityId,
    /// The entity's name.
    pub name: String,
    /// The outcomes.
    pub outcomes: Vec<RecordedOutcome>,
}

/// The outcome of a completed task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecordedOutcome {
    /// The id of the actionable.
    pub actionable_id: ActionableId,
    /// What was to do.
    pub title: String,
    /// The title for a webhook that is bound to entities, if it differs. No webhook is told both.
    #[schemars(skip)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unnamed_title: Option<String>,
    /// Whether it helped.
    pub outcome: Outcome,
}

/// A pause of a provider that holds up a check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "ProviderPausedEvent")]
#[serde(rename_all = "camelCase")]
pub struct ProviderPaused {
    /// The entity whose check waits.
    pub entity_id: EntityId,
    /// The provider.
    pub provider: String,
    /// The reason.
    pub reason: String,
    /// When the first of the consecutive pauses began, in Unix milliseconds.
    pub since: Timestamp,
}

/// A balance that suffices for less than a week.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "CreditsLowEvent")]
#[serde(rename_all = "camelCase")]
pub struct CreditsLow {
    /// The credits that can be spent.
    #[schemars(with = "u64")]
    pub balance: i64,
    /// The credits that the scheduled checks cost a day if every question is answered.
    #[schemars(with = "u64")]
    pub credits_per_day: i64,
    /// The number of whole days for which the credits suffice.
    #[schemars(with = "u64")]
    pub days_left: i64,
}

/// A webhook that is not sent to any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "WebhookDisabledEvent")]
#[serde(rename_all = "camelCase")]
pub struct WebhookDisabled {
    /// The webhook's id.
    pub webhook_id: WebhookId,
    /// Why it is disabled.
    pub reason: String,
    /// When the first delivery after the last accepted one failed, in Unix milliseconds.
    pub failing_since: Timestamp,
}

/// The message of a test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "WebhookTestEvent")]
pub struct TestMessage {
    /// A text that says that this is a test.
    pub message: String,
}

impl Default for TestMessage {
    fn default() -> Self {
        Self {
            message: "This is a test. The webhook works.".to_owned(),
        }
    }
}
