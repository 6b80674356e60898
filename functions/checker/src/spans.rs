//! The spans that give log lines their common fields: the invocation, and the check or entity it works on.
//!
//! All spans have the level `ERROR`, because a span below the configured level would remove its fields from
//! the lines.

use domain::ordinal::CheckNumber;
use events::{BusEvent as _, CheckEvent};
use store::{DueItem, DueSubject};
use tracing::Span;
use tracing::field::Empty;

/// The function's folder name, which is the metrics' dimension.
const FUNCTION: &str = "checker";

/// Returns the span of an invocation, with Lambda's request id.
pub(crate) fn invocation(request_id: &str) -> Span {
    tracing::error_span!("invocation", request.id = request_id, function.name = FUNCTION)
}

/// Returns the span of the step that handles an event.
pub(crate) fn step(event: &CheckEvent) -> Span {
    let (workspace, entity, check, shard) = match event {
        CheckEvent::EntityDeleted(at) | CheckEvent::RereadingDue(at) => {
            (&at.workspace_id, &at.entity_id, None, None)
        }
        CheckEvent::ShardReady(at, shard) => (
            &at.workspace_id,
            &at.entity_id,
            Some(at.check.get()),
            Some(shard.get()),
        ),
        CheckEvent::CheckClaimed(at)
        | CheckEvent::CheckAnswered(at)
        | CheckEvent::FoldDue(at)
        | CheckEvent::CheckWanted(at) => (&at.workspace_id, &at.entity_id, Some(at.check.get()), None),
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

/// Returns the span in which a tick processes something that is due.
pub(crate) fn due(due: &DueItem) -> Span {
    let entity = match &due.subject {
        DueSubject::Entity(entity) | DueSubject::EntityRereading(entity) => Some(entity.as_str()),
        DueSubject::WorkspaceRereading | DueSubject::DeletedWorkspace => None,
    };
    tracing::error_span!(
        "due",
        workspace.id = %due.tenant.workspace(),
        entity.id = entity,
        check.number = Empty,
    )
}

/// Adds the number of the entity's running check to the current span.
pub(crate) fn record_check_number(check: CheckNumber) {
    Span::current().record("check.number", check.get());
}
