//! `POST /entities/name-request`: files a request for another name; the operator reviews it.

use api::{ApiError, Call, Fields, Reply, subject};
use domain::brand;
use domain::error::InvalidField;
use domain::id::EntityId;
use domain::limits::MAX_REASON_CHARS;
use domain::name_request::NameRequest;
use domain::text::bounded_or_empty;
use store::{NameRequestError, NewNameRequest};

use crate::State;
use crate::name_request::{NameRequestView, Shown};

pub(crate) async fn request_name(call: Call<State>) -> Result<Reply, ApiError> {
    let body = call.body()?;
    let entity = body.required_text("entityId")?;
    let wish = read(&body)?;
    let entity: EntityId = subject(entity, "Entity")?;
    let answer = |filed: &NameRequest| {
        Reply::of(&Shown {
            data: Some(NameRequestView::from(filed)),
            message: "The name change request was filed and waits for its review",
        })
    };
    let store = &call.state.app.store;
    let filed = store
        .request_name(&call.tenant, &entity, &wish, &call.once(&answer))
        .await?
        .map_err(refusal)?;
    answer(&filed)
}

fn read(body: &Fields) -> Result<NewNameRequest, InvalidField> {
    let reason = body.text("reason")?.unwrap_or_default();
    Ok(NewNameRequest {
        name: brand::name("suggestedName", body.required_text("suggestedName")?)?,
        reason: bounded_or_empty("reason", reason, MAX_REASON_CHARS)?,
    })
}

fn refusal(refused: NameRequestError) -> ApiError {
    match refused {
        NameRequestError::UnknownEntity => ApiError::not_found("Entity"),
        NameRequestError::SameName => {
            InvalidField::new("suggestedName", "must differ from the current name").into()
        }
        NameRequestError::Canceled => ApiError::canceled(),
        NameRequestError::Pending => {
            ApiError::conflict("A name change request of this entity waits for its review already")
        }
    }
}
