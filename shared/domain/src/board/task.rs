//! Tasks, which are created from recommendations and move through the four columns of a board.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};
use uuid::Uuid;

use super::actionable::{Actionable, UnnamedTexts};
use super::source_type::{Priority, TaskType};
use crate::limits::CLOSED_ACTIONABLE_RETENTION;
use crate::ordinal::{ActionableOrdinal, TaskOrdinal};
use crate::time::Timestamp;

/// A column of the board, in the order of the workflow.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
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
pub enum TaskStatus {
    NotStarted,
    InProgress,
    InReview,
    Done,
}

impl TaskStatus {
    /// Returns the next column of the workflow, or `None` after `done`.
    pub fn next(self) -> Option<Self> {
        match self {
            Self::NotStarted => Some(Self::InProgress),
            Self::InProgress => Some(Self::InReview),
            Self::InReview => Some(Self::Done),
            Self::Done => None,
        }
    }
}

/// A task on the board, which was created from a recommendation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Task {
    pub ordinal: TaskOrdinal,
    /// The ordinal of the actionable that the task was created from.
    pub actionable: ActionableOrdinal,
    pub title: String,
    pub description: String,
    /// The texts for clients who may not know the brand that the others name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unnamed: Option<UnnamedTexts>,
    #[serde(rename = "type")]
    pub task_type: TaskType,
    pub priority: Priority,
    pub status: TaskStatus,
    /// The distinct ids of the users who work on the task.
    pub assignees: Vec<Uuid>,
    /// The sort key within the column, which is unique on the board.
    pub sort_order: u32,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub done_at: Option<Timestamp>,
}

impl Task {
    /// Creates a task from an actionable. Its status is `not_started`.
    pub fn new(
        actionable: &Actionable,
        ordinal: TaskOrdinal,
        sort_order: u32,
        assignees: &[Uuid],
        now: Timestamp,
    ) -> Self {
        let recommendation = &actionable.recommendation;
        Self {
            ordinal,
            actionable: actionable.ordinal,
            title: recommendation.title.clone(),
            description: recommendation.description.clone(),
            unnamed: recommendation.unnamed.clone(),
            task_type: recommendation.rule().task_type(),
            priority: recommendation.priority,
            status: TaskStatus::NotStarted,
            assignees: assignees.to_vec(),
            sort_order,
            created_at: now,
            updated_at: now,
            done_at: None,
        }
    }

    /// Moves the task to a column, with a new sort key. Sets `done_at` only for the column `done`.
    pub fn move_to_column(&mut self, column: TaskStatus, sort_order: u32, now: Timestamp) {
        self.status = column;
        self.sort_order = sort_order;
        self.updated_at = now;
        self.done_at = (column == TaskStatus::Done).then_some(now);
    }

    /// Returns when the task expires, or `None` while it is not done.
    pub fn expires_at(&self) -> Option<Timestamp> {
        self.done_at.map(|at| at + CLOSED_ACTIONABLE_RETENTION)
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_data::recommendation;
    use super::super::{ActionableStatus, Fingerprint, SourceType};
    use super::*;

    #[test]
    fn the_workflow_goes_step_by_step_to_done() {
        let steps: Vec<_> = std::iter::successors(Some(TaskStatus::NotStarted), |s| s.next()).collect();
        assert_eq!(steps, TaskStatus::VARIANTS);
    }

    #[test]
    fn a_status_is_parsed_as_it_is_stored_and_displayed() {
        for status in TaskStatus::VARIANTS {
            assert_eq!(status.into_str().parse(), Ok(*status));
            assert_eq!(serde_json::to_value(status).unwrap(), status.into_str());
        }
        assert!("DONE".parse::<TaskStatus>().is_err());
        for status in ActionableStatus::VARIANTS {
            assert_eq!(status.into_str().parse(), Ok(*status));
            assert_eq!(serde_json::to_value(status).unwrap(), status.into_str());
        }
        let types = [TaskType::OffPage, TaskType::OnPage, TaskType::Technical];
        let names = serde_json::to_value(types).unwrap();
        assert_eq!(names, serde_json::json!(["off-page", "on-page", "technical"]));
    }

    #[test]
    fn a_task_expires_only_while_it_is_done() {
        let fingerprint = Fingerprint::new(SourceType::LowVisibility, "p1");
        let actionable = Actionable::new(
            7.into(),
            fingerprint,
            recommendation("Do", Priority::High, 1),
            Timestamp::from_millis(1),
        );
        let mut task = Task::new(&actionable, 3.into(), 9, &[], Timestamp::from_millis(2));
        assert_eq!(
            (task.actionable, task.sort_order, task.expires_at()),
            (7.into(), 9, None)
        );
        task.move_to_column(TaskStatus::Done, 10, Timestamp::from_millis(3));
        assert_eq!(
            task.expires_at(),
            Some(Timestamp::from_millis(3) + CLOSED_ACTIONABLE_RETENTION)
        );
        task.move_to_column(TaskStatus::InReview, 11, Timestamp::from_millis(4));
        assert_eq!((task.done_at, task.expires_at()), (None, None));
        assert_eq!(
            (task.created_at, task.updated_at, task.sort_order),
            (Timestamp::from_millis(2), Timestamp::from_millis(4), 11)
        );
    }
}
