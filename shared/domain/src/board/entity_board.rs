//! The board of an entity, in display order.

use std::cmp::Reverse;

use super::actionable::Actionable;
use super::task::Task;

/// The recommendations and tasks of an entity.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Board {
    /// The actionables by priority, the most urgent first, then by age, the newest first.
    pub actionables: Vec<Actionable>,
    /// The tasks by column in the order of the workflow, then by their sort key.
    pub tasks: Vec<Task>,
}

impl Board {
    /// Creates a board and sorts its items.
    pub fn new(mut actionables: Vec<Actionable>, mut tasks: Vec<Task>) -> Self {
        actionables.sort_by_key(|a| (a.recommendation.priority, Reverse((a.created_at, a.ordinal))));
        tasks.sort_by_key(|t| (t.status, t.sort_order, t.ordinal));
        Self { actionables, tasks }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::test_data::recommendation;
    use super::super::{Fingerprint, Priority, SourceType, TaskStatus};
    use super::*;
    use crate::time::Timestamp;

    fn actionable(ordinal: u32, priority: Priority, created_at: i64) -> Actionable {
        let fingerprint = Fingerprint::new(SourceType::LowVisibility, ordinal);
        Actionable::new(
            ordinal.into(),
            fingerprint,
            recommendation("", priority, 0),
            Timestamp::from_millis(created_at),
        )
    }

    fn task(ordinal: u32, column: TaskStatus, sort_order: u32) -> Task {
        let mut task = Task::new(
            &actionable(1, Priority::Low, 0),
            ordinal.into(),
            0,
            &[],
            Timestamp::from_millis(0),
        );
        task.move_to_column(column, sort_order, Timestamp::from_millis(0));
        task
    }

    #[test]
    fn actionables_are_sorted_by_priority_then_newest_first() {
        let items = [
            (1, Priority::Low, 9),
            (2, Priority::High, 1),
            (3, Priority::Medium, 5),
            (4, Priority::High, 3),
            (5, Priority::High, 3),
        ];
        let items = items.map(|(ordinal, priority, at)| actionable(ordinal, priority, at));
        let board = Board::new(items.to_vec(), Vec::new());
        let ordinals: Vec<u32> = board.actionables.iter().map(|a| a.ordinal.get()).collect();
        assert_eq!(ordinals, [5, 4, 2, 3, 1]);
    }

    #[test]
    fn tasks_are_sorted_by_column_then_by_sort_key() {
        let items = [
            (1, TaskStatus::Done, 1),
            (2, TaskStatus::InReview, 2),
            (3, TaskStatus::NotStarted, 9),
            (4, TaskStatus::InProgress, 4),
            (5, TaskStatus::NotStarted, 5),
        ];
        let board = Board::new(
            Vec::new(),
            items.map(|(o, column, sort)| task(o, column, sort)).to_vec(),
        );
        let ordinals: Vec<u32> = board.tasks.iter().map(|t| t.ordinal.get()).collect();
        assert_eq!(ordinals, [5, 3, 4, 2, 1]);
    }

    proptest! {
        #[test]
        fn the_order_of_a_board_does_not_depend_on_the_order_of_its_items(
            kinds in prop::collection::vec((0u8..3, 0i64..3), 0..20), seed in any::<u64>(),
        ) {
            let priority = |kind| [Priority::High, Priority::Medium, Priority::Low][usize::from(kind)];
            let items: Vec<Actionable> = (1..).zip(kinds).map(|(n, (kind, at))| actionable(n, priority(kind), at)).collect();
            let mut other = items.clone();
            other.sort_by_key(|a| seed.rotate_left(a.ordinal.get()).wrapping_mul(0x9E37_79B9_7F4A_7C15));
            prop_assert_eq!(Board::new(items, Vec::new()), Board::new(other, Vec::new()));
        }
    }
}
