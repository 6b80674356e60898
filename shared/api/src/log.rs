//! The client of a request, on the log lines of the request.

use domain::id::{KeyId, WorkspaceId};
use tracing::Span;
use tracing::field::display;

/// Adds the workspace and the API key to the request's log lines.
pub(crate) fn record_client(workspace: &WorkspaceId, key: &KeyId) {
    Span::current()
        .record("workspace.id", display(workspace))
        .record("key.id", display(key));
}
