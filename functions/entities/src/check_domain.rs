//! `GET /entities/check-domain`: whether a domain is tracked in the workspace already.

use api::{ApiError, ApiRequest, ApiResponse};
use domain::id::EntityId;
use domain::target::Target;
use serde::Serialize;

use crate::EntitiesState;

#[derive(Serialize)]
struct CheckDomainResponse<'a> {
    data: DomainAvailabilityView<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DomainAvailabilityView<'a> {
    /// The target that an entity would get.
    domain: &'a str,
    available: bool,
    reason: &'static str,
    entity_id: Option<EntityId>,
}

pub(crate) async fn get(request: ApiRequest<EntitiesState>) -> Result<ApiResponse, ApiError> {
    let target = Target::parse_domain("domain", request.query.required_text("domain")?)?;
    let entity_id = request
        .state
        .api
        .store
        .tracking_of(&request.tenant, &target)
        .await?;
    ApiResponse::of(&CheckDomainResponse {
        data: DomainAvailabilityView {
            domain: target.as_str(),
            available: entity_id.is_none(),
            reason: match entity_id {
                Some(_) => "already_in_workspace",
                None => "not_tracked",
            },
            entity_id,
        },
    })
}
