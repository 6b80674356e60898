//! `POST /entities/name-request`: files a request for another name; the operator reviews it.

use api::{ApiError, ApiRequest, ApiResponse, JsonBody, parse_id};
use domain::brand;
use domain::error::InvalidField;
use domain::id::EntityId;
use domain::limits::MAX_REASON_CHARS;
use domain::name_request::NameRequest;
use domain::text::bounded_or_empty;
use store::NewNameRequest;

use super::view::{CreateNameRequestResponse, NameRequestView};
use crate::EntitiesState;

pub(crate) async fn create(request: ApiRequest<EntitiesState>) -> Result<ApiResponse, ApiError> {
    let body = request.body()?;
    let entity = body.required_text("entityId")?;
    let wish = read(&body)?;
    let entity: EntityId = parse_id(entity, "Entity")?;
    let answer = |filed: &NameRequest| {
        ApiResponse::of(&CreateNameRequestResponse {
            data: NameRequestView::from(filed),
            message: "The name change request was filed and waits for its review",
        })
    };
    let store = &request.state.api.store;
    let filed = store
        .request_name(&request.tenant, &entity, &wish, &request.idempotent(&answer))
        .await?;
    answer(&filed)
}

fn read(body: &JsonBody) -> Result<NewNameRequest, InvalidField> {
    let reason = body.text("reason")?.unwrap_or_default();
    Ok(NewNameRequest {
        name: brand::name("suggestedName", body.required_text("suggestedName")?)?,
        reason: bounded_or_empty("reason", reason, MAX_REASON_CHARS)?,
    })
}
