//! Dispatches an HTTP request to its handler.
//!
//! A request is checked in a fixed order, and the first check that fails decides the response: path, method,
//! API key, rate, scope of the key, size of the body, idempotency key, format, and then the checks of the
//! endpoint.

use std::time::Duration;

use domain::api_key::ApiKey;
use domain::key_scope::KeyScope;
use domain::limits::MAX_BODY_BYTES;
use lambda_http::http::header::{AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE, HeaderMap, HeaderValue};
use lambda_http::http::{Response, StatusCode};
use lambda_http::{Body, Request, RequestExt};
use serving::Answer;
use store::{Access, AuthError, Quota, Rate};
use tracing::Span;
use tracing::field::display;

use crate::cors::{is_preflight, preflight_response};
use crate::idempotency::{recorded_reply, request_identity};
use crate::known_keys::KeyReach;
use crate::rate_headers::add_quota;
use crate::table::{check_size, csv_table};
use crate::{
    ApiError, ApiRequest, ApiResponse, ApiState, BASE_PATH, Format, Method, QueryParameters, Reach, Route,
};

const API_KEY: &str = "x-api-key";
/// The time after which a request is answered with a timeout. Lambda stops a function after 29 seconds,
/// without telling the client when to retry.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(27);

/// Handles a request with the endpoints of `routes`, and logs and counts the response.
///
/// `function` is the name of the function's folder, which is a dimension of its metrics. Every failure
/// becomes a response, so there is no error to return.
pub async fn handle<S: AsRef<ApiState> + Clone>(
    function: &'static str,
    routes: &[Route<S>],
    state: S,
    request: Request,
) -> Response<Body> {
    let api = state.as_ref().clone();
    answer(function, &api, request, |request| respond(routes, state, request)).await
}

/// Answers a request with `respond`, which has a limited time, logs and counts the response, and adds the
/// headers that every response has.
pub async fn answer<F: Future<Output = Reply>>(
    function: &'static str,
    api: &ApiState,
    request: Request,
    respond: impl FnOnce(Request) -> F,
) -> Response<Body> {
    let respond = async |request: Request| {
        let origin = api.cors.allowed_origin(request.headers());
        let is_preflight = origin.is_some() && is_preflight(&request);
        let reply = respond_in_time(respond(request)).await;
        let mut response = match reply.result {
            Ok(response) => response,
            Err(ApiError {
                allow: Some(methods), ..
            }) if is_preflight => preflight_response(&methods),
            Err(error) => error.into_response(),
        };
        let headers = response.headers_mut();
        api.cors.add_headers(headers, origin);
        // Figures change with each check, and belong to the holder of the key.
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(quota) = &reply.quota {
            add_quota(headers, quota);
        }
        Answer {
            response,
            logged_status: reply.logged_status,
        }
    };
    serving::answer(function, api.clock.as_ref(), request, respond).await
}

/// What becomes of a request.
pub struct Reply {
    /// What is left of the key's rate, if the key is valid.
    pub quota: Option<Quota>,
    pub result: Result<Response<Body>, ApiError>,
    /// See [`Answer::logged_status`].
    pub logged_status: Option<StatusCode>,
}

impl From<ApiError> for Reply {
    fn from(error: ApiError) -> Self {
        Self {
            quota: None,
            result: Err(error),
            logged_status: None,
        }
    }
}

impl From<AuthError> for Reply {
    fn from(error: AuthError) -> Self {
        Self {
            quota: error.quota(),
            result: Err(error.into()),
            logged_status: None,
        }
    }
}

/// Limits the duration of a request. As after a lost response, an interrupted write may or may not have taken
/// effect, so the client can retry it.
async fn respond_in_time(respond: impl Future<Output = Reply>) -> Reply {
    // The compiler lays out futures within futures to a limited depth, which a box begins anew.
    tokio::time::timeout(REQUEST_TIMEOUT, Box::pin(respond))
        .await
        .unwrap_or_else(|elapsed| ApiError::temporarily_unavailable(elapsed).into())
}

async fn respond<S: AsRef<ApiState> + Clone>(routes: &[Route<S>], state: S, request: Request) -> Reply {
    let path = request.raw_http_path();
    let path = path.strip_prefix(BASE_PATH).unwrap_or("");
    let route = match find_route(routes, path, request.method().as_str()) {
        Ok(route) => route,
        Err(error) => return error.into(),
    };
    let responded = async {
        let key = api_key(request.headers())?;
        let respond = |reach| respond_to(route, reach, state.clone(), &request);
        authenticate_and_respond(state.as_ref(), route.endpoint.method, &key, respond).await
    };
    let (access, result) = match responded.await {
        Ok(responded) => responded,
        Err(reply) => return reply,
    };
    Reply {
        quota: Some(access.quota),
        result,
        logged_status: None,
    }
}

/// Checks the key, and responds with what it reaches. The response to a read with a key that this instance
/// has accepted before is made while the key is checked, and dropped if the key is refused or reaches
/// something else.
async fn authenticate_and_respond<T, F: Future<Output = T>>(
    api: &ApiState,
    method: Method,
    key: &ApiKey,
    respond: impl Fn(KeyReach) -> F,
) -> Result<(Access, T), Reply> {
    let checked = authenticate_key(api, method.rate(), key);
    let known = api.known_keys.reach(key).filter(|_| method == Method::Get);
    let Some(known) = known else {
        let access = checked.await?;
        let response = respond(KeyReach::from(&access)).await;
        return Ok((access, response));
    };
    // A refused key ends this at once, whatever is still read for it.
    let (access, response) = tokio::try_join!(checked, async { Ok(respond(known.clone()).await) })?;
    let reach = KeyReach::from(&access);
    if reach == known {
        return Ok((access, response));
    }
    Ok((access, respond(reach).await))
}

async fn respond_to<S: AsRef<ApiState> + Clone>(
    route: &Route<S>,
    reach: KeyReach,
    state: S,
    request: &Request,
) -> Result<Response<Body>, ApiError> {
    let KeyReach { tenant, scope } = reach;
    check_scope(route, &scope)?;
    check_body_size(request.body())?;
    let identity = request_identity(route, request, &scope)?;
    let query = QueryParameters::parse(request.uri().query().unwrap_or(""));
    let format = Format::parse(&query, request.headers(), route.endpoint.columns)?;
    let limit = query.text("limit").ok().flatten().map(str::to_owned);
    let request = ApiRequest {
        state,
        tenant,
        key_scope: scope,
        query,
        format,
        body: request.body().to_vec(),
        identity,
    };
    let json = run_handler(route, request).await?.into_json();
    Ok(match format {
        Format::Json => {
            // What a write has done stays done, so that only a read can be refused for its response.
            if route.endpoint.method == Method::Get {
                check_size(&json, limit.as_deref())?;
            }
            success("application/json", json)
        }
        Format::Table => {
            let table = csv_table(route.endpoint.columns, &json, limit.as_deref())?;
            success("text/csv; charset=utf-8; header=present", table)
        }
    })
}

/// A call of an endpoint on behalf of a client that is authenticated already.
pub struct EndpointCall {
    pub method: Method,
    /// The path without the version prefix.
    pub path: &'static str,
    /// The encoded query string.
    pub query: String,
    /// The JSON text of the body.
    pub body: Vec<u8>,
}

/// Runs an endpoint for a client that is authenticated already. The scope of the key is checked, and no rate
/// is counted.
///
/// Returns the JSON text of the response. An endpoint with a table returns the table's rows in `data`.
pub async fn call<S: AsRef<ApiState> + Clone>(
    routes: &[Route<S>],
    state: S,
    access: &Access,
    call: EndpointCall,
) -> Result<String, ApiError> {
    let route = find_route(routes, call.path, call.method.name())?;
    check_scope(route, &access.scope)?;
    let has_table = !route.endpoint.columns.is_empty();
    let request = ApiRequest {
        state,
        tenant: access.tenant.clone(),
        key_scope: access.scope.clone(),
        query: QueryParameters::parse(&call.query),
        format: if has_table { Format::Table } else { Format::Json },
        body: call.body,
        identity: None,
    };
    Ok(run_handler(route, request).await?.into_json())
}

/// Finds the endpoint of a path without the version prefix. Returns 404 for an unknown path, and 405 with the
/// allowed methods for a path without this method.
fn find_route<'r, S>(routes: &'r [Route<S>], path: &str, method: &str) -> Result<&'r Route<S>, ApiError> {
    let mut allowed = Vec::new();
    for route in routes.iter().filter(|route| route.endpoint.path == path) {
        serving::record_route(route.endpoint.path);
        if route.endpoint.method.name() == method {
            return Ok(route);
        }
        allowed.push(route.endpoint.method.name());
    }
    if allowed.is_empty() {
        return Err(ApiError::not_found("Path"));
    }
    Err(ApiError::method_not_allowed(allowed.join(", ")))
}

/// Verifies the request's API key and counts the request against the key's rate. The error is the reply: 401
/// for a missing or invalid key, and 429 if the rate is exceeded.
pub async fn authenticate(state: &ApiState, rate: Rate, headers: &HeaderMap) -> Result<Access, Reply> {
    authenticate_key(state, rate, &api_key(headers)?).await
}

async fn authenticate_key(api: &ApiState, rate: Rate, key: &ApiKey) -> Result<Access, Reply> {
    match api.store.authenticate(key, rate, api.clock.real_now()).await {
        Ok(access) => {
            Span::current()
                .record("workspace.id", display(access.tenant.workspace()))
                .record("key.id", display(&access.key_id));
            api.known_keys.accept(key, &access);
            Ok(access)
        }
        Err(error) => {
            if !matches!(error, AuthError::Store(_)) {
                api.known_keys.refuse(key);
            }
            Err(error.into())
        }
    }
}

fn api_key(headers: &HeaderMap) -> Result<ApiKey, ApiError> {
    let key = presented_key(headers)?;
    ApiKey::parse(&key).ok_or_else(|| AuthError::Unknown.into())
}

/// Returns 403 if the key may not use the endpoint.
fn check_scope<S>(route: &Route<S>, scope: &KeyScope) -> Result<(), ApiError> {
    if route.endpoint.method != Method::Get && !scope.may_write() {
        return Err(ApiError::forbidden("This key may only read"));
    }
    if route.endpoint.reach == Reach::Workspace && scope.is_bound() {
        return Err(ApiError::forbidden("This key reaches only its entities"));
    }
    Ok(())
}

/// Returns the API key of `Authorization: Bearer`, or else of `X-API-Key`.
///
/// Bytes that are not UTF-8 are replaced, which gives a key that does not exist. Returns 401 if both headers
/// have no key.
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
        .ok_or_else(ApiError::missing_key)
}

fn check_body_size(body: &Body) -> Result<(), ApiError> {
    if body.len() > MAX_BODY_BYTES {
        return Err(ApiError::too_large(MAX_BODY_BYTES));
    }
    Ok(())
}

/// Runs the endpoint's handler, unless a response to an earlier request with this idempotency key is
/// recorded.
async fn run_handler<S: AsRef<ApiState> + Clone>(
    route: &Route<S>,
    request: ApiRequest<S>,
) -> Result<ApiResponse, ApiError> {
    let Some(identity) = request.identity.clone() else {
        return (route.handler)(request).await;
    };
    let (state, tenant) = (request.state.clone(), request.tenant.clone());
    let store = &state.as_ref().store;
    if let Some(response) = recorded_reply(store, &tenant, &identity).await? {
        return Ok(response);
    }
    match (route.handler)(request).await {
        Ok(response) => Ok(response),
        // A concurrent request with this key can be the cause of the error. Its response is then the response
        // to both.
        Err(error) => recorded_reply(store, &tenant, &identity).await?.ok_or(error),
    }
}

fn success(media_type: &'static str, text: String) -> Response<Body> {
    let mut response = Response::new(Body::Text(text));
    let media_type = HeaderValue::from_static(media_type);
    response.headers_mut().insert(CONTENT_TYPE, media_type);
    response
}
