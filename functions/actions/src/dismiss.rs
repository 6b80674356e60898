//! `POST /entities/actions/dismiss`

use api::{ApiError, ApiRequest, ApiResponse, ApiState, parse_id};
use domain::board::Actionable;
use domain::id::ActionableId;
use store::DismissError;

/// Takes an actionable out of the active feed; one that is dismissed already stays so.
pub(crate) async fn dismiss(request: ApiRequest<ApiState>) -> Result<ApiResponse, ApiError> {
    let body = request.body()?;
    let actionable: ActionableId = parse_id(body.required_text("actionableId")?, "Actionable")?;
    let answer = |_: &Actionable| Ok(ApiResponse::success());
    let dismissed = request
        .state
        .store
        .dismiss_actionable(&request.tenant, &actionable, &request.idempotent(&answer))
        .await?
        .map_err(refusal)?;
    answer(&dismissed)
}

fn refusal(refused: DismissError) -> ApiError {
    match refused {
        DismissError::UnknownActionable => ApiError::not_found("Actionable"),
        DismissError::Canceled => ApiError::canceled(),
        DismissError::InTask => {
            ApiError::conflict("The actionable is a task on the board: it cannot be dismissed")
        }
    }
}
