//! The tenant of an event.

use domain::id::WorkspaceId;
use store::Tenant;

/// Returns the tenant of the workspace that one of the service's events names.
#[expect(
    clippy::disallowed_methods,
    reason = "the checker works on what the service's own events name"
)]
pub(crate) fn of_event(workspace: &WorkspaceId) -> Tenant {
    Tenant::from_event(workspace.clone())
}
