//! What the lines of the log have in common: the invocation, and what it is at work on. All are errors' spans, because
//! the lines of one below the log's level lack its fields.

use events::{CheckEvent, CheckRef};
use store::Due;
use tracing::Span;
use tracing::field::Empty;

/// The function's folder, by which metrics are counted.
const FUNCTION: &str = "checker";

/// An invocation, by Lambda's id.
pub(crate) fn invocation(request_id: &str) -> Span {
    tracing::error_span!("invocation", request.id = request_id, function.name = FUNCTION)
}

/// A step of a check, or the end of a deleted entity.
pub(crate) fn step(event: &CheckEvent) -> Span {
    let of_check = |at: &CheckRef, shard| {
        (
            at.workspace_id.clone(),
            at.entity_id.clone(),
            Some(at.check),
            shard,
        )
    };
    let (workspace, entity, check, shard) = match event {
        CheckEvent::EntityDeleted(at) => (at.workspace_id.clone(), at.entity_id.clone(), None, None),
        CheckEvent::ShardReady(at, shard) => of_check(at, Some(*shard)),
        CheckEvent::CheckClaimed(at) | CheckEvent::CheckAnswered(at) | CheckEvent::CheckWanted(at) => {
            of_check(at, None)
        }
    };
    tracing::error_span!(
        "step",
        event.name = event.detail_type(),
        workspace.id = %workspace,
        entity.id = %entity,
        check.number = check,
        shard.number = shard,
    )
}

/// What a tick does with an entity that is due.
pub(crate) fn due(due: &Due) -> Span {
    tracing::error_span!(
        "due",
        workspace.id = %due.tenant.workspace(),
        entity.id = %due.entity,
        check.number = Empty,
    )
}

/// The check that the due entity runs.
pub(crate) fn know_check(check: u32) {
    Span::current().record("check.number", check);
}
