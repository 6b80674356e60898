//! `GET /entities/tracking-status`

use api::check_status::CheckStatusView;
use api::{ApiError, ApiRequest, ApiResponse};
use serde::Serialize;
use store::RereadingProgress;

use crate::EntitiesState;

#[derive(Serialize, schemars::JsonSchema)]
pub struct TrackingStatusResponse {
    /// The state of the entity's checks.
    data: TrackingStatusView,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "TrackingStatus")]
struct TrackingStatusView {
    #[serde(flatten)]
    checks: CheckStatusView,
    /// How far the recorded answers are read again after names have changed. Null if there is nothing to read
    /// again.
    #[schemars(extend("x-extension" = true))]
    rereading: Option<RereadingView>,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "Rereading")]
struct RereadingView {
    /// The number of days whose answers have been read again.
    done: u32,
    /// The number of days to read again. Null as long as they are not counted.
    total: Option<u32>,
}

impl RereadingView {
    fn of(progress: RereadingProgress) -> Self {
        Self {
            done: progress.done,
            total: progress.total,
        }
    }
}

/// Returns the state of an entity's checks, which clients poll to learn when there is new data, and the
/// problems that keep checks from giving all answers. Returns 404 if the entity does not exist.
pub(crate) async fn get(request: ApiRequest<EntitiesState>) -> Result<ApiResponse, ApiError> {
    let id = request.entity_id()?;
    let api = &request.state.api;
    let (entity, has_active_prompt, rereading) = tokio::try_join!(
        api.store.entity(&request.tenant, &id),
        api.store.has_active_prompt(&request.tenant, &id),
        api.store.rereading_progress(&request.tenant, &id)
    )?;
    let entity = entity.ok_or_else(|| ApiError::not_found("Entity"))?;
    let checks = CheckStatusView::load(api, &request.tenant, &entity, has_active_prompt).await?;
    ApiResponse::from_fields(&TrackingStatusResponse {
        data: TrackingStatusView {
            checks,
            rereading: rereading
                .filter(|_| entity.last_check.is_some())
                .map(RereadingView::of),
        },
    })
}
