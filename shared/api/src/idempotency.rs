//! Idempotent requests: a POST with an `Idempotency-Key` takes effect once, however often the client sends
//! it.

use domain::error::InvalidField;
use domain::key_scope::KeyScope;
use domain::limits::MAX_IDEMPOTENCY_KEY_CHARS;
use lambda_http::Request;
use store::{RecordedReply, RequestIdentity, Store, Tenant};

use crate::{ApiError, ApiResponse, JsonBody, Method, Route};

const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// Returns the values that identify a repetition of the request: its method, path, idempotency key and body.
///
/// Returns `None` without an idempotency key, for other methods than POST, and if the body is not a JSON
/// object: the handler refuses such a body, so no response is recorded. Returns 400 if the key is empty or
/// too long.
pub(crate) fn request_identity<S>(
    route: &Route<S>,
    request: &Request,
    scope: &KeyScope,
) -> Result<Option<RequestIdentity>, ApiError> {
    let Some(key) = request
        .headers()
        .get(IDEMPOTENCY_KEY)
        .filter(|_| route.endpoint.method == Method::Post)
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
    let (method, path) = (route.endpoint.method.name(), route.endpoint.path);
    let body = body.canonical();
    let identity = RequestIdentity::new(method, path, key.as_bytes(), &body);
    Ok(Some(identity.with_scope(scope)))
}

/// Returns the reply that is recorded for the request, if there is one. Returns 409 if the idempotency key
/// was used with another body.
pub(crate) async fn recorded_reply(
    store: &Store,
    tenant: &Tenant,
    identity: &RequestIdentity,
) -> Result<Option<ApiResponse>, ApiError> {
    match store.recorded_reply(tenant, identity).await? {
        None => Ok(None),
        Some(RecordedReply::Reply(json)) => Ok(Some(ApiResponse(json))),
        Some(RecordedReply::OtherBody) => Err(ApiError::conflict(
            "Idempotency-Key was used with another body in the last 24 hours",
        )),
    }
}
