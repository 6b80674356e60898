//! Requests to change the names of an entity, which the operator approves or rejects.

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use crate::id::{EntityId, NameRequestId};
use crate::time::Timestamp;

/// A request to change the name of an entity, its aliases or both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NameRequest {
    pub id: NameRequestId,
    pub entity: EntityId,
    /// The entity's name at the time of the request.
    pub current_name: String,
    pub suggested_name: String,
    /// The aliases that replace those of the entity. `None` leaves them, and makes the present name one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggested_aliases: Option<Vec<String>>,
    /// The reason that the client gave, or an empty text.
    pub reason: String,
    pub status: ReviewStatus,
    pub created_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reviewed_at: Option<Timestamp>,
    /// The operator's note, or an empty text. `None` until the request is reviewed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review_note: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, schemars::JsonSchema)]
#[schemars(rename = "NameRequestStatus")]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum ReviewStatus {
    Pending,
    Approved,
    Rejected,
}

/// The operator's decision about a name request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReviewDecision {
    Approve,
    Reject,
}

impl NameRequest {
    pub fn is_pending(&self) -> bool {
        self.status == ReviewStatus::Pending
    }

    /// Returns the request with the operator's decision.
    #[must_use]
    pub fn reviewed(self, decision: ReviewDecision, note: &str, now: Timestamp) -> Self {
        Self {
            status: match decision {
                ReviewDecision::Approve => ReviewStatus::Approved,
                ReviewDecision::Reject => ReviewStatus::Rejected,
            },
            // The operator's clock can be behind the clock of the request.
            reviewed_at: Some(now.max(self.created_at)),
            review_note: Some(note.to_owned()),
            ..self
        }
    }
}
