//! The items of a board stay consistent under concurrency and faults.

mod concurrency;
mod interleaved;
mod limits;
mod updates;

use std::collections::{BTreeMap, BTreeSet};

use acceptance::{candidates, incomplete_findings};
use domain::board::{
    Actionable, ActionableStatus, Board, BoardUpdate, Candidate, CheckFindings, Task, TaskStatus,
};
use domain::id::{ActionableId, EntityId, TaskId};
use domain::limits::MAX_ACTIVE_ACTIONABLES;
use domain::time::Timestamp;
use store::{CreateTaskError, DismissError, MoveTaskError, ReplyRecorder, Tenant};

use super::table::{Table, refused};

/// A table with one entity and its board.
struct BoardFixture {
    table: Table,
    tenant: Tenant,
    entity: EntityId,
}

impl BoardFixture {
    async fn new() -> Self {
        let table = Table::start().await;
        let tenant = table.tenant(0).await;
        let entity = table.entity(&tenant, "acme.com", 1, 1).await.id;
        Self {
            table,
            tenant,
            entity,
        }
    }

    /// Creates a board whose actionables were created by check 1.
    async fn filled(actionables: u32) -> Self {
        let fixture = Self::new().await;
        let found = candidates(&fixture.entity, actionables);
        let refill = fixture.refill(1, &found).await;
        assert_eq!(refill.created.len(), actionables as usize);
        fixture
    }

    fn actionable(&self, ordinal: u32) -> ActionableId {
        let entity = self.entity;
        ActionableId {
            entity,
            ordinal: ordinal.into(),
        }
    }

    fn task(&self, ordinal: u32) -> TaskId {
        let entity = self.entity;
        TaskId {
            entity,
            ordinal: ordinal.into(),
        }
    }

    async fn refill(&self, check: u32, candidates: &[Candidate]) -> BoardUpdate {
        self.refill_with(check, &incomplete_findings(candidates)).await
    }

    async fn refill_with(&self, check: u32, found: &CheckFindings) -> BoardUpdate {
        let store = &self.table.store;
        store
            .refill_board(&self.tenant, &self.entity, check.into(), found, |_| Vec::new())
            .await
            .unwrap()
    }

    async fn create_task(&self, actionable: u32) -> Result<Task, CreateTaskError> {
        let id = self.actionable(actionable);
        let store = &self.table.store;
        let created = store
            .create_task(&self.tenant, &id, &[], &ReplyRecorder::disabled())
            .await;
        refused(created)
    }

    async fn dismiss(&self, actionable: u32) -> Result<Actionable, DismissError> {
        let id = self.actionable(actionable);
        let store = &self.table.store;
        let dismissed = store
            .dismiss_actionable(&self.tenant, &id, &ReplyRecorder::disabled())
            .await;
        refused(dismissed)
    }

    async fn move_task(&self, task: u32, to: Option<TaskStatus>) -> Result<Task, MoveTaskError> {
        let store = &self.table.store;
        let id = self.task(task);
        let moved = store
            .move_task(&self.tenant, &id, to, &ReplyRecorder::disabled())
            .await;
        refused(moved)
    }

    async fn board(&self) -> Board {
        self.table.store.board(&self.tenant, &self.entity).await.unwrap()
    }

    /// Asserts that the items of the board are consistent and returns the board.
    async fn consistent(&self) -> Board {
        let board = self.board().await;
        let active: Vec<_> = board.actionables.iter().filter(|a| a.is_active()).collect();
        assert!(active.len() <= MAX_ACTIVE_ACTIONABLES);
        let candidates: BTreeSet<_> = active.iter().map(|a| &a.fingerprint).collect();
        assert_eq!(candidates.len(), active.len(), "one active actionable per cause");

        let in_task = board
            .actionables
            .iter()
            .filter(|a| a.status == ActionableStatus::InTask);
        let in_task: BTreeMap<u32, _> = in_task.map(|a| (a.ordinal.get(), a.closed_at)).collect();
        let tasks: BTreeMap<u32, _> = board
            .tasks
            .iter()
            .map(|t| (t.actionable.get(), t.done_at))
            .collect();
        assert_eq!(tasks, in_task, "a task per actionable in one, with the same end");
        assert_eq!(tasks.len(), board.tasks.len(), "one task per actionable");
        for task in &board.tasks {
            assert_eq!(task.done_at.is_some(), task.status == TaskStatus::Done);
        }
        let places: BTreeSet<u32> = board.tasks.iter().map(|t| t.sort_order).collect();
        assert_eq!(places.len(), board.tasks.len(), "one task per place");

        // The expiry of each item matches its state.
        let items = self.table.items().await;
        let ends = |prefix: &str, ordinal: u32| {
            let (_, item) = items
                .iter()
                .find(|((_, sk), _)| *sk == format!("{prefix}{ordinal:07}"))
                .unwrap();
            item.get("expiresAt")
                .map(|end| end.as_n().unwrap().parse::<i64>().unwrap())
        };
        let seconds = |end: Option<Timestamp>| end.map(Timestamp::ttl_seconds);
        for actionable in &board.actionables {
            assert_eq!(
                ends("BOARD#A#", actionable.ordinal.into()),
                seconds(actionable.expires_at())
            );
        }
        for task in &board.tasks {
            assert_eq!(ends("BOARD#T#", task.ordinal.into()), seconds(task.expires_at()));
        }
        board
    }
}
