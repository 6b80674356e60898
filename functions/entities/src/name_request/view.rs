//! Requests for another name as clients see them.

use domain::id::NameRequestId;
use domain::name_request::{NameRequest, ReviewStatus};
use domain::time::Timestamp;
use serde::Serialize;

#[derive(Serialize)]
pub(crate) struct NameRequestResponse<'a> {
    pub(crate) data: Option<NameRequestView<'a>>,
    pub(crate) message: &'static str,
}

/// A request for another name as clients see it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NameRequestView<'a> {
    id: &'a NameRequestId,
    current_name: &'a str,
    suggested_name: &'a str,
    reason: &'a str,
    status: ReviewStatus,
    created_at: Timestamp,
    reviewed_at: Option<Timestamp>,
    review_note: Option<&'a str>,
}

impl<'a> From<&'a NameRequest> for NameRequestView<'a> {
    fn from(request: &'a NameRequest) -> Self {
        Self {
            id: &request.id,
            current_name: &request.current_name,
            suggested_name: &request.suggested_name,
            reason: &request.reason,
            status: request.status,
            created_at: request.created_at,
            reviewed_at: request.reviewed_at,
            review_note: request.review_note.as_deref(),
        }
    }
}
