//! Requests for another name of an entity, which the operator approves or rejects.

use serde::{Deserialize, Serialize};

use crate::id::{EntityId, NameRequestId};
use crate::time::Timestamp;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NameRequest {
    pub id: NameRequestId,
    pub entity: EntityId,
    /// The entity's name when the request was made.
    pub current_name: String,
    pub suggested_name: String,
    /// Empty where none was given.
    pub reason: String,
    pub status: ReviewStatus,
    pub created_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reviewed_at: Option<Timestamp>,
    /// `None` until reviewed; empty where the operator gave none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review_note: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
pub enum ReviewStatus {
    Pending,
    Approved,
    Rejected,
}

/// What the operator decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReviewDecision {
    Approve,
    Reject,
}

impl NameRequest {
    pub fn is_pending(&self) -> bool {
        self.status == ReviewStatus::Pending
    }

    /// The request once it is reviewed.
    #[must_use]
    pub fn reviewed(self, verdict: ReviewDecision, note: &str, now: Timestamp) -> Self {
        Self {
            status: match verdict {
                ReviewDecision::Approve => ReviewStatus::Approved,
                ReviewDecision::Reject => ReviewStatus::Rejected,
            },
            // The operator's clock may lag behind.
            reviewed_at: Some(now.max(self.created_at)),
            review_note: Some(note.to_owned()),
            ..self
        }
    }
}
