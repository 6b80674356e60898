//! `POST /entities/actions/dismiss`

use api::{ApiError, App, Call, Reply, subject};
use domain::board::Actionable;
use domain::id::ActionableId;
use store::DismissError;

/// Takes an actionable out of the active feed; one that is dismissed already stays so.
pub(crate) async fn dismiss(call: Call<App>) -> Result<Reply, ApiError> {
    let body = call.body()?;
    let actionable: ActionableId = subject(body.required_text("actionableId")?, "Actionable")?;
    let answer = |_: &Actionable| Ok(Reply::success());
    let dismissed = call
        .state
        .store
        .dismiss_actionable(&call.tenant, &actionable, &call.once(&answer))
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
