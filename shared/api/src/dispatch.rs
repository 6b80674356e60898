//! From a request to a response. The order of the checks: path, method, key, rate, then the endpoint's own.

use domain::api_key::ApiKey;
use domain::limits::{MAX_BODY_BYTES, REQUEST_TIMEOUT};
use lambda_http::http::Response;
use lambda_http::http::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use lambda_http::request::RequestContext;
use lambda_http::{Body, Request, RequestExt};
use store::{Access, AuthError};
use tracing::Instrument;

use crate::cors::{is_preflight, preflight};
use crate::idempotency::{replay, request_key};
use crate::{ApiError, ApiRequest, ApiResponse, ApiState, BASE_PATH, QueryParameters, Route, log};

const REQUEST_ID: &str = "x-request-id";
const API_KEY: &str = "x-api-key";

/// Answers a request by a route table. `function`: its folder, by which metrics are counted.
pub async fn handle<S: AsRef<ApiState> + Clone>(
    function: &'static str,
    routes: &[Route<S>],
    state: S,
    request: Request,
) -> Response<Body> {
    let request_id = request_id(&request);
    let cors = state.as_ref().cors.clone();
    let reader = cors.reader(request.headers());
    let asked_first = reader.is_some() && is_preflight(&request);
    let span = log::span(function, request_id.as_deref(), request.method());
    let clock = state.as_ref().clock.clone();
    let began = clock.real_now();
    let answered = answer(routes, state, request).instrument(span.clone());
    let answered = tokio::time::timeout(REQUEST_TIMEOUT, answered).await;
    // Whatever it has begun has its effect, or none: a client sends it again, as after a lost answer.
    let answered = answered.unwrap_or_else(|late| Err(ApiError::busy(late)));
    let mut response = match answered {
        Err(ApiError {
            allow: Some(methods), ..
        }) if asked_first => preflight(&methods),
        Ok(response) => {
            let mut response = Response::new(Body::Text(response.into_json()));
            response
                .headers_mut()
                .insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            response
        }
        Err(error) => span.in_scope(|| error.into_response()),
    };
    cors.mark(response.headers_mut(), reader);
    if let Some(Ok(id)) = request_id.as_deref().map(HeaderValue::from_str) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    let latency = clock.real_now().duration_since(began);
    span.in_scope(|| log::answered(response.status(), latency));
    response
}

async fn answer<S: AsRef<ApiState> + Clone>(
    routes: &[Route<S>],
    state: S,
    request: Request,
) -> Result<ApiResponse, ApiError> {
    let route = find(routes, request.raw_http_path(), request.method().as_str())?;
    let app = state.as_ref();
    let key = presented_key(request.headers())?;
    let key = ApiKey::parse(&key).ok_or(AuthError::Unknown)?;
    let Access { tenant, key_id } = app
        .store
        .authenticate(&key, route.method.rate(), app.clock.real_now())
        .await?;
    log::know_client(tenant.workspace(), &key_id);
    if request.body().len() > MAX_BODY_BYTES {
        return Err(ApiError::too_large(MAX_BODY_BYTES));
    }
    let query = QueryParameters::parse(request.uri().query().unwrap_or_default());
    let key = request_key(route, &request)?;
    let body = request.into_body().to_vec();
    let request = ApiRequest {
        state: state.clone(),
        tenant: tenant.clone(),
        query,
        body,
        idempotency: key.clone(),
    };
    let Some(key) = key else {
        return (route.handler)(request).await;
    };
    let store = &state.as_ref().store;
    if let Some(response) = replay(store, &tenant, &key).await? {
        return Ok(response);
    }
    match (route.handler)(request).await {
        Ok(response) => Ok(response),
        // What stood in the way may be what the same request, sent at the same time, has just done.
        Err(error) => replay(store, &tenant, &key).await?.ok_or(error),
    }
}

fn find<'r, S>(routes: &'r [Route<S>], path: &str, method: &str) -> Result<&'r Route<S>, ApiError> {
    let path = path.strip_prefix(BASE_PATH).unwrap_or_default();
    let mut allowed = Vec::new();
    for route in routes.iter().filter(|r| r.path == path) {
        log::know_route(route.path);
        if route.method.name() == method {
            return Ok(route);
        }
        allowed.push(route.method.name());
    }
    if allowed.is_empty() {
        return Err(ApiError::not_found("Path"));
    }
    Err(ApiError::method_not_allowed(allowed.join(", ")))
}

/// `Authorization: Bearer …` counts where it is one; otherwise `X-API-Key` does. A key that is no text is still a
/// key, though none that exists.
fn presented_key(headers: &HeaderMap) -> Result<String, ApiError> {
    let text = |name| {
        let value: &HeaderValue = headers.get(name)?;
        Some(String::from_utf8_lossy(value.as_bytes()).trim().to_owned())
    };
    let bearer = text(AUTHORIZATION.as_str()).and_then(|value| {
        let (scheme, key) = value.split_once(' ')?;
        scheme
            .eq_ignore_ascii_case("bearer")
            .then(|| key.trim().to_owned())
    });
    bearer
        .filter(|key| !key.is_empty())
        .or_else(|| text(API_KEY))
        .filter(|key| !key.is_empty())
        .ok_or_else(|| ApiError::unauthorized("Missing API key"))
}

fn request_id(request: &Request) -> Option<String> {
    match request.request_context_ref()? {
        RequestContext::ApiGatewayV2(context) => context.request_id.clone(),
        _ => None,
    }
}
