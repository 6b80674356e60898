//! Each request logs one line with its ids, which contains nothing of the request or the response.

use acceptance::{Account, AwsCall, Fault, FaultInjector, World};
use reqwest::Method;
use serde_json::{Value, json};
use tracing::Level;

use super::CapturedLog;
use super::capture::is_restricted;
use crate::contract::{Endpoint, Fixture, RequestInput, endpoints};

/// A marker in everything that must not be logged.
const MARK: &str = "xyzzy";

/// Fields and parameters that hold the client's own text, with such a text.
const TEXTS: [(&str, &str); 11] = [
    ("name", "Xyzzy Name"),
    ("suggestedName", "Xyzzy Wish"),
    ("reason", "xyzzy reason"),
    ("description", "xyzzy description, ann.xyzzy@example.com"),
    ("prompt", "Which xyzzy is best?"),
    (
        "prompts",
        r#"["Which xyzzy is cheap?", {"prompt": "Which xyzzy is far?"}]"#,
    ),
    ("aliases", r#"["Xyzzy Alias"]"#),
    ("domain", "xyzzy.example"),
    ("target", "shop.acme.com/xyzzy?token=xyzzy"),
    ("search", "xyzzy search"),
    ("updates", ""),
];

/// Returns the endpoint's valid request with marked texts that must not be logged.
fn planted(endpoint: &Endpoint, fixture: &Fixture) -> RequestInput {
    let mut sent = (endpoint.request)(fixture);
    for (name, text) in TEXTS {
        if let Some(parameter) = sent.query.iter_mut().find(|(known, _)| known == name) {
            text.clone_into(&mut parameter.1);
        }
        let Some(field) = sent.body.as_mut().and_then(|body| body.get_mut(name)) else {
            continue;
        };
        match field {
            Value::Array(updates) if name == "updates" => {
                for update in updates {
                    update["prompt"] = json!("Which xyzzy is new?");
                }
            }
            Value::Array(_) => *field = serde_json::from_str(text).unwrap(),
            other => *other = json!(text),
        }
    }
    sent.query.push(("token".to_owned(), "xyzzy-token".to_owned()));
    if let Some(body) = &mut sent.body {
        body["unheardOf"] = json!("xyzzy field");
    }
    sent
}

async fn send(world: &World, account: &Account, endpoint: &Endpoint, sent: &RequestInput) -> u16 {
    endpoint.send(world, Some(&account.key), sent).await.status
}

/// Asserts that each request logged one line at `info` or above with its ids, that neither those lines nor
/// the service's own lines contain a marker, and that no line contains a key.
fn assert_conforms(log: &CapturedLog, accounts: &[&Account]) -> Vec<Value> {
    for line in log.text().lines() {
        for account in accounts {
            assert!(!line.contains(&account.key), "a key is logged: {line}");
        }
        let line: Value = serde_json::from_str(line).unwrap();
        if is_restricted(&line) {
            let shown = line.to_string();
            assert!(!shown.to_lowercase().contains(MARK), "{shown}");
        }
    }
    let lines = log.lines(Level::DEBUG);
    for line in lines.iter().filter(|line| line.get("http.method").is_some()) {
        assert!(
            line["request.id"].as_str().is_some_and(|id| id.len() == 36),
            "{line}"
        );
        assert!(line["function.name"].is_string(), "{line}");
    }
    log.with_message("a request is answered")
}

/// Returns whether the call authenticates a request. Faults can follow it.
pub(super) fn is_authentication(call: &AwsCall) -> bool {
    let key = call.request["Key"]["PK"]["S"].as_str();
    key.is_some_and(|key| key.starts_with("KEY#"))
}

/// Asserts that the line states the request, the workspace and the status.
fn assert_logged(line: &Value, endpoint: &Endpoint, account: &Account, status: u16) {
    let (method, route) = endpoint.route.split_once(' ').unwrap();
    assert_eq!(
        (&line["http.method"], &line["http.route"]),
        (&json!(method), &json!(route))
    );
    assert_eq!(line["http.status"], status, "{line}");
    assert_eq!(
        line["workspace.id"],
        account.tenant.workspace().as_str(),
        "{line}"
    );
    assert!(
        line["key.id"].is_string() && line["Latency"].is_number(),
        "{line}"
    );
}

#[tokio::test]
async fn each_request_logs_one_line_with_its_ids_and_nothing_of_its_content() {
    let world = World::start().await;
    for endpoint in endpoints() {
        let (mine, theirs) = (Fixture::new(&world).await, world.account().await);
        let good = planted(endpoint, &mine);
        let mut requests = vec![(&mine.account, good.clone())];
        requests.push((&theirs, good.clone()));
        // No input takes a text with this character, but for filters and searches.
        for variant in endpoint.variants() {
            let good = variant.good(&mine);
            let wrong = variant
                .inputs
                .iter()
                .map(|(location, _)| good.at(location, &json!("xyzzy\0")));
            requests.extend(wrong.map(|sent| (&mine.account, sent)));
        }
        if let Some(subject) = endpoint.subject() {
            requests.push((&mine.account, good.with(subject, &json!("xyzzyxyzzyxyzzy1"))));
        }

        let log = CapturedLog::from(Level::DEBUG);
        let mut sent = Vec::new();
        for (account, request) in requests {
            sent.push((account, send(&world, account, endpoint, &request).await));
        }
        let told = assert_conforms(&log, &[&mine.account, &theirs]);
        drop(log);
        assert_eq!(sent[0].1, 200, "{}", endpoint.route);
        assert_eq!(told.len(), sent.len(), "{}: one line each", endpoint.route);
        for (line, (account, status)) in told.iter().zip(sent) {
            assert_logged(line, endpoint, account, status);
        }
    }
}

#[tokio::test]
async fn unexpected_requests_are_logged_without_their_content() {
    let world = World::start().await;
    let account = world.account().await;
    let log = CapturedLog::from(Level::DEBUG);
    let junk = format!("wsk_{MARK}");
    let requests = [
        (world.request(Method::GET, "/xyzzy/path?token=xyzzy"), 404, None),
        (
            world.request(Method::from_bytes(b"XYZZY").unwrap(), "/models"),
            405,
            Some("/models"),
        ),
        (
            world.request(Method::PATCH, "/models?token=xyzzy"),
            405,
            Some("/models"),
        ),
        (world.request(Method::GET, "/models"), 401, Some("/models")),
        (
            world.request(Method::GET, "/models").bearer_auth(&junk),
            401,
            Some("/models"),
        ),
        (
            world.request(Method::GET, "/models").header("x-api-key", &junk),
            401,
            Some("/models"),
        ),
        (
            world
                .request(Method::POST, "/entities")
                .bearer_auth(&account.key)
                .body("{\"xyzzy\": \"xyzzy"),
            400,
            Some("/entities"),
        ),
        (
            world
                .request(Method::POST, "/entities")
                .bearer_auth(&account.key)
                .header("idempotency-key", MARK.repeat(60))
                .header("user-agent", MARK)
                .header("referer", "https://xyzzy.example/?token=xyzzy")
                .body("{}"),
            400,
            Some("/entities"),
        ),
        (
            world
                .request(Method::POST, "/entities")
                .bearer_auth(&account.key)
                .body(MARK.repeat(300_000)),
            413,
            Some("/entities"),
        ),
    ];
    let mut expected = Vec::new();
    for (request, status, route) in requests {
        assert_eq!(World::execute(request).await.status, status);
        expected.push((json!(status), route.map_or(Value::Null, |route| json!(route))));
    }
    let told = assert_conforms(&log, &[&account]);
    let told: Vec<_> = told
        .iter()
        .map(|line| (line["http.status"].clone(), line["http.route"].clone()))
        .collect();
    assert_eq!(told, expected);
    assert!(!log.text().contains(&junk), "not at debug, either");
}

#[tokio::test]
async fn a_failed_request_is_logged_once_with_its_cause_and_without_its_content() {
    let faults = FaultInjector::default();
    let world = World::start_with_api_faults(&faults).await;
    let fixture = Fixture::new(&world).await;
    for (fault, status, cause) in [
        (Fault::ValidationError, 500, "internal error of the store: "),
        (Fault::Throttled, 503, "the table is unavailable: "),
    ] {
        for endpoint in endpoints() {
            let request = planted(endpoint, &fixture);
            let log = CapturedLog::from(Level::DEBUG);
            faults.script(move |call| (!is_authentication(call)).then_some(fault));
            let got = send(&world, &fixture.account, endpoint, &request).await;
            faults.none();
            let told = assert_conforms(&log, &[&fixture.account]);
            let errors = log.with_message("a request failed");
            drop(log);
            // These read nothing but the key.
            if matches!(endpoint.route, "GET /models" | "GET /keys/self") {
                assert_eq!((got, errors.len()), (200, 0));
                continue;
            }
            assert_eq!(got, status, "{}", endpoint.route);
            assert_logged(&told[0], endpoint, &fixture.account, status);
            assert_eq!((told.len(), errors.len()), (1, 1), "{}", endpoint.route);
            assert_eq!(errors[0]["level"], "ERROR");
            assert_eq!(errors[0]["request.id"], told[0]["request.id"]);
            assert_eq!(
                errors[0]["workspace.id"],
                fixture.account.tenant.workspace().as_str()
            );
            let said = errors[0]["cause"].as_str().unwrap();
            assert!(said.starts_with(cause), "{}: {said}", endpoint.route);
        }
    }
}
