//! `GET /entities/name-request`: the most recent one.

use api::{ApiError, ApiRequest, ApiResponse, parse_id};
use domain::id::{EntityId, NameRequestId};
use domain::name_request::{NameRequest, ReviewStatus};
use domain::time::Timestamp;
use serde::Serialize;

use crate::EntitiesState;

#[derive(Serialize)]
pub(crate) struct Shown<'a> {
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

pub(crate) async fn name_request(request: ApiRequest<EntitiesState>) -> Result<ApiResponse, ApiError> {
    let id: EntityId = parse_id(request.required("entityId")?, "Entity")?;
    let store = &request.state.api.store;
    let entity = store.entity(&request.tenant, &id).await?;
    let entity = entity.ok_or_else(|| ApiError::not_found("Entity"))?;
    let last = store.last_name_request(&request.tenant, &entity).await?;
    ApiResponse::of(&Shown {
        message: match last.as_ref().map(|request| request.status) {
            None => "No name change was requested",
            Some(ReviewStatus::Pending) => "The name change request waits for its review",
            Some(ReviewStatus::Approved) => "The name change request was approved",
            Some(ReviewStatus::Rejected) => "The name change request was rejected",
        },
        data: last.as_ref().map(NameRequestView::from),
    })
}
