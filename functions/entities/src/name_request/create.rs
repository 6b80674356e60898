//! `POST /entities/name-request`

use api::{ApiError, ApiRequest, ApiResponse, JsonBody};
use domain::brand;
use domain::error::InvalidField;
use domain::id::EntityId;
use domain::limits::MAX_REASON_CHARS;
use domain::name_request::NameRequest;
use domain::text::validate_optional_text;
use store::NewNameRequest;

use super::view::{CreateNameRequestResponse, NameRequestView};
use crate::EntitiesState;

/// Files a request to change an entity's name or aliases, and returns the request.
///
/// Returns 400 if the name is the current one and no aliases are given, 404 if the entity does not exist, and
/// 409 if a request waits for its review or another tracked brand has one of the names.
pub(crate) async fn create(request: ApiRequest<EntitiesState>) -> Result<ApiResponse, ApiError> {
    let body = request.body()?;
    let entity = body.required_text("entityId")?;
    let new = parse_request(&body)?;
    let entity: EntityId = request.parse_id(entity)?;
    let to_response = |filed: &NameRequest| {
        ApiResponse::from_fields(&CreateNameRequestResponse {
            data: NameRequestView::from(filed),
            message: "The name change request was filed and waits for its review",
        })
    };
    let (store, recorder) = (request.store(), request.reply_recorder(&to_response));
    let filed = store
        .request_name(&request.tenant, &entity, &new, &recorder)
        .await?;
    to_response(&filed)
}

fn parse_request(body: &JsonBody) -> Result<NewNameRequest, InvalidField> {
    let reason = body.text("reason")?.unwrap_or("");
    let aliases = body.text_list("aliases")?;
    Ok(NewNameRequest {
        name: brand::parse_name("suggestedName", body.required_text("suggestedName")?)?,
        aliases: aliases
            .map(|names| brand::parse_aliases("aliases", &names))
            .transpose()?,
        reason: validate_optional_text("reason", reason, MAX_REASON_CHARS)?,
    })
}
