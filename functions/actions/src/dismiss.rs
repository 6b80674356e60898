//! `POST /entities/actions/dismiss`

use api::{ApiError, ApiRequest, ApiResponse, ApiState};
use domain::board::Actionable;
use domain::id::ActionableId;

/// Dismisses an actionable. Dismissing it again succeeds and changes nothing.
///
/// Returns 404 if the actionable does not exist, and 409 if it is a task on the board.
pub(crate) async fn dismiss(request: ApiRequest<ApiState>) -> Result<ApiResponse, ApiError> {
    let body = request.body()?;
    let actionable: ActionableId = request.parse_id(body.required_text("actionableId")?)?;
    let to_response = |_: &Actionable| Ok(ApiResponse::success());
    let (store, recorder) = (request.store(), request.reply_recorder(&to_response));
    let dismissed = store
        .dismiss_actionable(&request.tenant, &actionable, &recorder)
        .await?;
    to_response(&dismissed)
}
