//! Actionables: recommendations as an entity's board keeps them.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Evidence, TaskType};
use crate::limits::{CLOSED_ACTIONABLES_KEPT, DONE_TASKS_HOLD};
use crate::time::Millis;

/// What a recommendation is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    Visibility,
    Citation,
    Content,
}

/// The most urgent first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    High,
    Medium,
    Low,
}

/// The rule that a recommendation comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceType {
    LowVisibility,
}

impl SourceType {
    pub fn name(self) -> &'static str {
        match self {
            Self::LowVisibility => "low_visibility",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActionableStatus {
    Active,
    Dismissed,
    /// It was made a task.
    InTask,
}

impl ActionableStatus {
    pub const ALL: [Self; 3] = [Self::Active, Self::Dismissed, Self::InTask];

    pub fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Dismissed => "dismissed",
            Self::InTask => "in_task",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == text)
    }
}

/// What makes two recommendations the same one: their rule and what they are about, e.g. `low_visibility p7`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Fingerprint(String);

impl Fingerprint {
    pub fn new(rule: SourceType, subject: impl fmt::Display) -> Self {
        Self(format!("{} {subject}", rule.name()))
    }
}

/// What a rule has to say: what to do, where and why, with the numbers behind it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Recommendation {
    pub title: String,
    pub description: String,
    pub category: Category,
    pub priority: Priority,
    pub source_type: SourceType,
    /// The type of a task that is made of it.
    pub task_type: TaskType,
    pub evidence: Evidence,
}

/// A recommendation on the board. It is active until a client dismisses it or makes it a task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Actionable {
    pub ordinal: u32,
    pub fingerprint: Fingerprint,
    pub recommendation: Recommendation,
    pub status: ActionableStatus,
    pub created_at: Millis,
    pub updated_at: Millis,
    /// When it was dismissed, or its task done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed_at: Option<Millis>,
}

impl Actionable {
    pub fn new(ordinal: u32, fingerprint: Fingerprint, recommendation: Recommendation, now: Millis) -> Self {
        Self {
            ordinal,
            fingerprint,
            recommendation,
            status: ActionableStatus::Active,
            created_at: now,
            updated_at: now,
            closed_at: None,
        }
    }

    pub fn is_active(&self) -> bool {
        self.status == ActionableStatus::Active
    }

    pub fn dismiss(&mut self, now: Millis) {
        self.status = ActionableStatus::Dismissed;
        self.updated_at = now;
        self.closed_at = Some(now);
    }

    pub fn make_task(&mut self, now: Millis) {
        self.status = ActionableStatus::InTask;
        self.updated_at = now;
    }

    /// From when on it counts as absent; `None`: it has no end yet.
    pub fn expires_at(&self) -> Option<Millis> {
        self.closed_at.map(|at| at.plus(CLOSED_ACTIONABLES_KEPT))
    }

    /// Whether it keeps its cause from coming back as a new one: for as long as it is there, but for at most
    /// 30 days after its task was done, when the figures tell whether that helped.
    pub fn holds_its_cause(&self, now: Millis) -> bool {
        match (self.status, self.closed_at) {
            (ActionableStatus::InTask, Some(done)) => now < done.plus(DONE_TASKS_HOLD),
            _ => self.expires_at().is_none_or(|end| now < end),
        }
    }
}
