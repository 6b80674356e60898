//! `GET /entities/check-domain`

use api::{ApiError, ApiRequest, ApiResponse};
use domain::id::EntityId;
use domain::target::Target;
use serde::Serialize;

use crate::EntitiesState;

#[derive(Serialize, schemars::JsonSchema)]
pub struct CheckDomainResponse<'a> {
    /// Whether the domain is available.
    data: DomainAvailabilityView<'a>,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "DomainAvailability")]
#[serde(rename_all = "camelCase")]
struct DomainAvailabilityView<'a> {
    /// The target that an entity would get.
    domain: &'a str,
    /// Whether the workspace does not track the domain yet.
    available: bool,
    /// Why the domain is available or not.
    reason: AvailabilityReason,
    /// The entity that tracks the domain. Null if there is none.
    entity_id: Option<EntityId>,
}

#[derive(Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
enum AvailabilityReason {
    NotTracked,
    AlreadyInWorkspace,
}

/// Returns whether the workspace can track a domain, or which entity tracks it. Returns 400 if `domain` is no
/// domain.
pub(crate) async fn get(request: ApiRequest<EntitiesState>) -> Result<ApiResponse, ApiError> {
    let target = Target::parse_domain("domain", request.query.required_text("domain")?)?;
    let entity_id = request.store().tracking_of(&request.tenant, &target).await?;
    ApiResponse::from_fields(&CheckDomainResponse {
        data: DomainAvailabilityView {
            domain: target.as_str(),
            available: entity_id.is_none(),
            reason: match entity_id {
                Some(_) => AvailabilityReason::AlreadyInWorkspace,
                None => AvailabilityReason::NotTracked,
            },
            entity_id,
        },
    })
}
