//! The permission to address one workspace's items.

use domain::id::WorkspaceId;

/// The permission to address one workspace's items in the table. Every key of a workspace's items is made
/// from one, so a request cannot reach another workspace's items.
///
/// API functions get theirs from `Store::authenticate`. A lint (`disallowed-methods` in `clippy.toml`) keeps
/// them from calling [`Tenant::from_event`] and [`Tenant::operator`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Tenant(WorkspaceId);

impl Tenant {
    pub(crate) fn new(workspace: WorkspaceId) -> Self {
        Self(workspace)
    }

    /// Creates the tenant of a workspace that one of the service's own events names.
    pub fn from_event(workspace: WorkspaceId) -> Self {
        Self(workspace)
    }

    /// Creates the tenant of a workspace that the operator names.
    pub fn operator(workspace: WorkspaceId) -> Self {
        Self(workspace)
    }

    /// Returns the id of the workspace.
    pub fn workspace(&self) -> &WorkspaceId {
        &self.0
    }
}
