//! Requests that may be repeated: a POST with an `Idempotency-Key`.

use domain::error::InvalidField;
use domain::limits::MAX_IDEMPOTENCY_KEY_CHARS;
use lambda_http::Request;
use store::{IdempotentRequest, RecordedReply, Store, Tenant};

use crate::{ApiError, ApiResponse, JsonBody, Method, Route};

const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// What the request is recognised by when it comes again: method, path, key and body. A body that is no JSON is
/// refused soon, and none is recorded.
pub(crate) fn request_key<S>(
    route: &Route<S>,
    request: &Request,
) -> Result<Option<IdempotentRequest>, ApiError> {
    let Some(key) = request
        .headers()
        .get(IDEMPOTENCY_KEY)
        .filter(|_| route.method == Method::Post)
    else {
        return Ok(None);
    };
    let characters = String::from_utf8_lossy(key.as_bytes()).chars().count();
    if !(1..=MAX_IDEMPOTENCY_KEY_CHARS).contains(&characters) {
        let rule = format!("must be 1 to {MAX_IDEMPOTENCY_KEY_CHARS} characters");
        return Err(InvalidField::new("Idempotency-Key", rule).into());
    }
    let Ok(body) = JsonBody::parse(request.body()) else {
        return Ok(None);
    };
    let (method, path) = (route.method.name(), route.path);
    let body = body.canonical();
    Ok(Some(IdempotentRequest::new(method, path, key.as_bytes(), &body)))
}

/// The answer that the request got before.
pub(crate) async fn replay(
    store: &Store,
    tenant: &Tenant,
    key: &IdempotentRequest,
) -> Result<Option<ApiResponse>, ApiError> {
    match store.recorded_answer(tenant, key).await? {
        None => Ok(None),
        Some(RecordedReply::Answer(json)) => Ok(Some(ApiResponse(json))),
        Some(RecordedReply::OtherBody) => Err(ApiError::conflict(
            "Idempotency-Key was used with another body in the last 24 hours",
        )),
    }
}
