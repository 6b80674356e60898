//! `POST /entities/run-check`: a check now. The schedule stays as it is.

use api::{ApiError, ApiRequest, ApiResponse, parse_id};
use domain::id::EntityId;
use serde::Serialize;
use store::{Claim, Trigger};

use crate::EntitiesState;
use crate::publish::publish_claim;

#[derive(Serialize)]
struct RunCheckResponse<'a> {
    data: StartedCheckView<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct StartedCheckView<'a> {
    entity_id: &'a EntityId,
    is_processing: bool,
    /// Questions that are asked: prompts times models.
    questions: usize,
}

pub(crate) async fn create(request: ApiRequest<EntitiesState>) -> Result<ApiResponse, ApiError> {
    let body = request.body()?;
    let entity_id: EntityId = parse_id(body.required_text("entityId")?, "Entity")?;
    let answer = |claim: &Claim| {
        ApiResponse::of(&RunCheckResponse {
            data: StartedCheckView {
                entity_id: &entity_id,
                is_processing: true,
                questions: claim.questions,
            },
        })
    };
    let (api, idempotent) = (&request.state.api, request.idempotent(&answer));
    let claim = api
        .store
        .claim_check(
            &request.tenant,
            &entity_id,
            Trigger::Request,
            &api.catalogue,
            &idempotent,
        )
        .await?;
    publish_claim(&request.state, &request.tenant, &entity_id, &claim).await;
    answer(&claim)
}
