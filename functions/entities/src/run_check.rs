//! `POST /entities/run-check`

use api::{ApiError, ApiRequest, ApiResponse};
use domain::id::EntityId;
use serde::Serialize;
use store::{Claim, Trigger};

use crate::EntitiesState;
use crate::publish::publish_claim;

#[derive(Serialize, schemars::JsonSchema)]
pub struct RunCheckResponse<'a> {
    /// The check that was started.
    data: StartedCheckView<'a>,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "StartedCheck")]
#[serde(rename_all = "camelCase")]
struct StartedCheckView<'a> {
    /// The entity's id.
    entity_id: &'a EntityId,
    /// Whether a check is running.
    is_processing: bool,
    /// The number of questions that the check asks: prompts times models.
    questions: usize,
}

/// Starts a check of an entity now, and returns the number of its questions. The schedule does not change.
///
/// Returns 400 if the entity has nothing to ask, 403 if credits are missing or the day's limit of checks is
/// reached, 404 if the entity does not exist, and 409 if a check is running.
pub(crate) async fn create(request: ApiRequest<EntitiesState>) -> Result<ApiResponse, ApiError> {
    let body = request.body()?;
    let entity_id: EntityId = request.parse_id(body.required_text("entityId")?)?;
    let to_response = |claim: &Claim| {
        ApiResponse::from_fields(&RunCheckResponse {
            data: StartedCheckView {
                entity_id: &entity_id,
                is_processing: true,
                questions: claim.questions,
            },
        })
    };
    let (api, recorder) = (&request.state.api, request.reply_recorder(&to_response));
    let claim = api
        .store
        .claim_check(
            &request.tenant,
            &entity_id,
            Trigger::Request,
            &api.catalogue,
            &recorder,
        )
        .await?;
    publish_claim(&request.state, &request.tenant, &entity_id, &claim).await;
    to_response(&claim)
}
