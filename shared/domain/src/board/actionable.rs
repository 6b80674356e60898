//! Actionables: the recommendations on an entity's board.

use std::fmt;

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};
use uuid::Uuid;

use super::evidence::Evidence;
use super::outcome::{Outcome, Retirement};
use super::source_type::{Priority, SourceType};
use crate::limits::{CLOSED_ACTIONABLE_RETENTION, DONE_TASK_SUPPRESSION, RETIRED_AFTER};
use crate::ordinal::ActionableOrdinal;
use crate::time::Timestamp;

/// The status of a recommendation.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    EnumString,
    IntoStaticStr,
    VariantArray,
    schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum ActionableStatus {
    Active,
    /// A client dismissed the recommendation, or it was dismissed automatically.
    Dismissed,
    /// A task was created from the recommendation.
    InTask,
}

/// The identity of a recommendation: its rule and its subject, for example `low_visibility p7`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Fingerprint(String);

impl Fingerprint {
    pub fn new(rule: SourceType, subject: impl fmt::Display) -> Self {
        Self(format!("{} {subject}", rule.into_str()))
    }
}

/// A recommendation of a rule: what to do, where and why, with the figures that support it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Recommendation {
    pub title: String,
    pub description: String,
    pub priority: Priority,
    pub evidence: Evidence,
    /// The texts for clients who may not know the brand that the others name. `None` if they name no other
    /// brand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unnamed: Option<UnnamedTexts>,
}

/// The texts of a recommendation in which another brand has no name but its domain, or none at all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UnnamedTexts {
    pub brand: Uuid,
    /// The name that the other texts contain.
    pub name: String,
    pub title: String,
    pub description: String,
}

impl Recommendation {
    /// Returns the rule that created the recommendation.
    pub fn rule(&self) -> SourceType {
        self.evidence.finding.rule()
    }
}

/// A recommendation on the board. It is active until it is dismissed or a task is created from it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Actionable {
    pub ordinal: ActionableOrdinal,
    pub fingerprint: Fingerprint,
    pub recommendation: Recommendation,
    pub status: ActionableStatus,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// When the recommendation was dismissed or its task was done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed_at: Option<Timestamp>,
    /// The number of complete checks in a row that did not find the cause of the active recommendation.
    pub missed: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retired: Option<Retirement>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
}

impl Actionable {
    pub fn new(
        ordinal: ActionableOrdinal,
        fingerprint: Fingerprint,
        recommendation: Recommendation,
        now: Timestamp,
    ) -> Self {
        Self {
            ordinal,
            fingerprint,
            recommendation,
            status: ActionableStatus::Active,
            created_at: now,
            updated_at: now,
            closed_at: None,
            missed: 0,
            retired: None,
            outcome: None,
        }
    }

    pub fn is_active(&self) -> bool {
        self.status == ActionableStatus::Active
    }

    pub fn dismiss(&mut self, now: Timestamp) {
        self.status = ActionableStatus::Dismissed;
        self.updated_at = now;
        self.closed_at = Some(now);
    }

    /// Records a complete check that did not find the cause. The third one in a row dismisses the
    /// recommendation.
    pub fn record_missed_check(&mut self, now: Timestamp) {
        self.missed += 1;
        if self.missed >= RETIRED_AFTER {
            self.dismiss(now);
            self.retired = Some(Retirement {
                reason: format!("Its cause was not found in {RETIRED_AFTER} complete checks in a row"),
                at: now,
            });
        }
    }

    /// Returns when the task was done, or `None` if it is not done or its outcome is recorded.
    pub fn awaiting_outcome_since(&self) -> Option<Timestamp> {
        let awaits_outcome = self.status == ActionableStatus::InTask && self.outcome.is_none();
        self.closed_at.filter(|_| awaits_outcome)
    }

    pub fn mark_as_task(&mut self, now: Timestamp) {
        self.status = ActionableStatus::InTask;
        self.updated_at = now;
    }

    /// Returns when the actionable expires, or `None` while it is open.
    pub fn expires_at(&self) -> Option<Timestamp> {
        self.closed_at.map(|at| at + CLOSED_ACTIONABLE_RETENTION)
    }

    /// Returns whether a new recommendation with the same fingerprint is suppressed.
    ///
    /// An actionable suppresses it until it expires, unless it was dismissed automatically. Once its task is
    /// done, it suppresses it until the outcome is known, but for at most 30 days.
    pub fn blocks_candidate(&self, now: Timestamp) -> bool {
        if self.retired.is_some() {
            return false;
        }
        match (self.status, self.closed_at) {
            (ActionableStatus::InTask, Some(done)) => {
                self.outcome.is_none() && now < done + DONE_TASK_SUPPRESSION
            }
            _ => self.expires_at().is_none_or(|end| now < end),
        }
    }
}
