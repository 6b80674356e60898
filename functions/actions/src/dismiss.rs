//! `POST /entities/actions/dismiss`

use api::{ApiError, ApiRequest, ApiResponse, ApiState, parse_id};
use domain::board::Actionable;
use domain::id::ActionableId;

/// Takes an actionable out of the active feed; one that is dismissed already stays so.
pub(crate) async fn dismiss(request: ApiRequest<ApiState>) -> Result<ApiResponse, ApiError> {
    let body = request.body()?;
    let actionable: ActionableId = parse_id(body.required_text("actionableId")?, "Actionable")?;
    let answer = |_: &Actionable| Ok(ApiResponse::success());
    let dismissed = request
        .state
        .store
        .dismiss_actionable(&request.tenant, &actionable, &request.idempotent(&answer))
        .await?;
    answer(&dismissed)
}
