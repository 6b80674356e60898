//! `GET /entities/name-request`

use api::{ApiError, ApiRequest, ApiResponse};
use domain::name_request::ReviewStatus;

use super::view::{NameRequestResponse, NameRequestView};
use crate::EntitiesState;

/// Returns the most recent request to change the entity's name, or null. Returns 404 if the entity does not
/// exist.
pub(crate) async fn get(request: ApiRequest<EntitiesState>) -> Result<ApiResponse, ApiError> {
    let id = request.entity_id()?;
    let store = request.store();
    let entity = store.entity(&request.tenant, &id).await?;
    let entity = entity.ok_or_else(|| ApiError::not_found("Entity"))?;
    let last = store.last_name_request(&request.tenant, &entity).await?;
    ApiResponse::from_fields(&NameRequestResponse {
        message: match last.as_ref().map(|request| request.status) {
            None => "No name change was requested",
            Some(ReviewStatus::Pending) => "The name change request waits for its review",
            Some(ReviewStatus::Approved) => "The name change request was approved",
            Some(ReviewStatus::Rejected) => "The name change request was rejected",
        },
        data: last.as_ref().map(NameRequestView::from),
        suggested_aliases: entity.suggested_aliases(),
    })
}
