//! API Gateway events, as JSON or in a short form with a line `METHOD path?query` and a body. Each event is
//! handled by a whole function on an empty table.

use api::BASE_PATH;
use domain::limits::{DEFAULT_FREQUENCY_HOURS, MAX_BODY_BYTES};
use domain::webhook::Targets;
use lambda_http::request::LambdaRequest;
use lambda_http::tower::ServiceExt;
use lambda_http::{Body, Request, RequestExt};
use openapi::endpoints::Dependencies;
use serde_json::Value;

use crate::world::{KEY, ORIGIN, World};
use crate::{samples, told};

const STATUSES: [u16; 12] = [200, 204, 400, 401, 403, 404, 405, 409, 413, 429, 500, 503];

pub(crate) fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let event = if text.starts_with('{') {
        let Ok(event) = serde_json::from_str::<Value>(&text) else {
            return;
        };
        event
    } else {
        short(&text)
    };
    let Ok(read) = serde_json::from_str::<LambdaRequest>(&event.to_string()) else {
        return;
    };
    let request = Request::from(serving::sanitize_event(read));
    let sent = event.to_string();
    let (method, length) = (request.method().clone(), request.body().len());
    let origin = request.headers().get("origin").cloned();
    World::with(|world| {
        let response = world.runtime.block_on(answer(world, request));
        let status = response.status().as_u16();
        assert!(STATUSES.contains(&status), "{status}");
        // The allowed origins of a response do not depend on its content.
        let reader = response.headers().get("access-control-allow-origin");
        assert_eq!(reader, origin.as_ref().filter(|origin| *origin == ORIGIN));
        if status == 204 {
            assert!(method == "OPTIONS" && reader.is_some() && response.body().is_empty());
            return;
        }
        let Body::Text(body) = response.body() else {
            panic!("a body that is no text")
        };
        let body: Value = serde_json::from_str(body).unwrap();
        assert_eq!(response.headers()["content-type"], "application/json");
        if status == 200 {
            assert_eq!(body["success"], true);
            assert!(length <= MAX_BODY_BYTES);
            return;
        }
        let error = body["error"].as_str().unwrap();
        assert!((1..400).contains(&error.len()));
        told::nothing_of(&sent, error);
        assert_eq!(body.get("retryAfter").is_some(), matches!(status, 429 | 503));
        assert_eq!(response.headers().contains_key("allow"), status == 405);
        // Only stored items can be damaged. Input that comes from the request alone never causes this error.
        let asked = world.table.state().calls.len();
        assert!(
            status != 500 || asked > 1,
            "{method} fails without a look at the table"
        );
        assert!(status != 401 || asked == 0);
    });
}

/// Handles a request with the function that serves its path.
async fn answer(world: &World, request: Request) -> http::Response<Body> {
    let path = request.raw_http_path().to_owned();
    let path = path.strip_prefix(BASE_PATH).unwrap_or_default().to_owned();
    let function = openapi::endpoints::functions()
        .into_iter()
        .find(|function| function.endpoints.iter().any(|endpoint| endpoint.path == path))
        .unwrap_or_else(openapi::endpoints::fallback);
    let dependencies = Dependencies {
        api: world.app.clone(),
        bus: world.checker.bus.clone(),
        providers: world.checker.providers.clone(),
        frequency_hours: DEFAULT_FREQUENCY_HOURS,
        webhook_targets: Targets::Public,
    };
    let Ok(response) = function.service(&dependencies).oneshot(request).await;
    response
}

/// Builds an event with a valid key from its short form.
fn short(text: &str) -> Value {
    let (line, body) = text.split_once('\n').unwrap_or((text, ""));
    let (method, target) = line.split_once(' ').unwrap_or(("GET", line));
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let mut event: Value = serde_json::from_str(samples::API_EVENTS[0]).unwrap();
    event["requestContext"]["http"]["method"] = method.into();
    event["rawPath"] = format!("{BASE_PATH}{path}").into();
    event["rawQueryString"] = query.into();
    event["headers"]["authorization"] = format!("Bearer {KEY}").into();
    event["headers"]["idempotency-key"] = "once".into();
    event["headers"]["origin"] = ORIGIN.into();
    event["headers"]["access-control-request-method"] = "POST".into();
    if !body.is_empty() {
        event["body"] = body.into();
    }
    event
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let mut seeds: Vec<Vec<u8>> = samples::API_EVENTS.map(|event| event.as_bytes().to_vec()).into();
    for (name, value) in [
        ("authorization", ""),
        ("authorization", "Bearer wsk_1"),
        ("x-other", ""),
    ] {
        let mut event: Value = serde_json::from_str(samples::API_EVENTS[0]).unwrap();
        event["headers"][name] = value.into();
        seeds.push(event.to_string().into());
    }
    let entity = "entityId=7Hq2bT9xKc4LmZ0p";
    let mut add = |text: String| seeds.push(text.into_bytes());
    for path in [
        "/trends/visibility",
        "/trends/citations",
        "/trends/compare",
        "/entities/overview",
        "/entities/citations",
        "/entities/competitors",
        "/query-fanouts",
        "/responses",
        "/entities/prompts",
        "/entities/actions",
        "/entities/name-request",
        "/entities/tracking-status",
        "/domain-groups",
    ] {
        add(format!(
            "GET {path}?{entity}&period=7d&limit=5&tags=a&union=false&search=x&topN=3&status=active"
        ));
    }
    add(format!(
        "GET /entities/citations/details?{entity}&citedEntityUuid=7dea88c1-f321-5f64-bd14-a25dfce7807a"
    ));
    add("GET /responses/details?responseId=7Hq2bT9xKc4LmZ0p-re7a-2g-1-0".to_owned());
    add("OPTIONS /entities".to_owned());
    add("GET /entities/check-domain?domain=www.example.com/a".to_owned());
    for path in [
        "/workspace",
        "/workspace/members",
        "/keys/self",
        "/models",
        "/entities",
        "/tags",
        "/nothing",
        "",
    ] {
        add(format!("GET {path}"));
    }
    let calls = [
        "POST /entities",
        "PATCH /entities",
        "PATCH /entities/updateprompt",
        "POST /domain-groups",
        "POST /entities/actions/update-status",
        "POST /entities/actions/create-task",
        "POST /entities/name-request",
    ];
    for (call, body) in calls.iter().zip(samples::BODIES) {
        add(format!("{call}\n{body}"));
    }
    add(format!(
        "POST /entities/addprompt\n{}",
        r#"{"entityId":"7Hq2bT9xKc4LmZ0p","prompt":"Which?","tags":[]}"#
    ));
    add(format!(
        "PATCH /domain-groups\n{}",
        r#"{"groupId":"7Hq2bT9xKc4LmZ0p","name":"A-Secret-Of-More-Than-24-Characters\u0007"}"#
    ));
    add("POST /tags\n{\"name\":\"Tag\"}".to_owned());
    add("POST /entities/actions/dismiss\n{\"actionableId\":\"7Hq2bT9xKc4LmZ0p-a1\"}".to_owned());
    add("POST /entities/run-check\n{\"entityId\":\"7Hq2bT9xKc4LmZ0p\"}".to_owned());
    for path in [
        "/entities?entityId",
        "/entities/prompts?promptId",
        "/domain-groups?groupId",
        "/tags?tagId",
    ] {
        add(format!("DELETE {path}=7Hq2bT9xKc4LmZ0p"));
    }
    seeds
}
