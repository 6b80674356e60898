//! The tenant: who a key is made for.

use domain::id::WorkspaceId;

/// A workspace that the caller may address. Only this crate makes one, so a request cannot reach another
/// workspace's items: `Store::authenticate` (a request), `from_event` (the checker), `operator` (the
/// operator's tools).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Tenant(WorkspaceId);

impl Tenant {
    pub(crate) fn authenticated(workspace: WorkspaceId) -> Self {
        Self(workspace)
    }

    /// The workspace that one of the service's own events names.
    pub fn from_event(workspace: WorkspaceId) -> Self {
        Self(workspace)
    }

    /// The workspace that the operator names.
    pub fn operator(workspace: WorkspaceId) -> Self {
        Self(workspace)
    }

    pub fn workspace(&self) -> &WorkspaceId {
        &self.0
    }
}
