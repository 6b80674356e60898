//! Invokes functions with the events in `infra/events`, unchanged or with a real API key.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use acceptance::release::{CHECKER, LambdaEmulator, NOTIFIER, Release};
use events::NotificationsDue;
use serde_json::{Value, json};

use crate::start::{CONSOLE, FunctionEnvironment};

/// The path of a request that reads the table, for each function with endpoints.
const REQUESTS: [(&str, &str); 7] = [
    ("actions", "/v1/entities/actions"),
    ("analytics", "/v1/trends/visibility"),
    ("domain-groups", "/v1/domain-groups"),
    ("entities", "/v1/entities"),
    ("prompts", "/v1/entities/prompts"),
    ("webhooks", "/v1/webhooks"),
    ("workspace", "/v1/workspace"),
];

/// Returns an event for each function: a request with the demo's key, one for the console's page, or a tick
/// for the checker.
pub(crate) async fn requests(environment: &FunctionEnvironment) -> Vec<(&'static str, Value)> {
    let entity = environment.first_entity().await;
    let query = format!("entityId={entity}");
    let mut requests: Vec<_> = REQUESTS
        .iter()
        .map(|(function, path)| {
            let mut event = read(&folder().join("api-get.json"));
            event["rawPath"] = json!(path);
            event["requestContext"]["http"]["path"] = json!(path);
            event["rawQueryString"] = json!(query);
            event["queryStringParameters"] = json!({"entityId": entity});
            event["headers"]["authorization"] = json!(format!("Bearer {}", environment.key));
            (*function, event)
        })
        .collect();
    let mut list = requests[0].1.clone();
    for (path, value) in [
        ("/rawPath", "/mcp"),
        ("/requestContext/http/path", "/mcp"),
        ("/requestContext/http/method", "POST"),
    ] {
        *list.pointer_mut(path).expect("a field of the event") = json!(value);
    }
    list["rawQueryString"] = json!("");
    list["queryStringParameters"] = json!({});
    list["headers"]["accept"] = json!("application/json, text/event-stream");
    list["headers"]["content-type"] = json!("application/json");
    list["body"] = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
        .to_string()
        .into();
    requests.push(("mcp", list));
    let mut page = read(&folder().join("api-get.json"));
    page["rawPath"] = json!("/");
    page["requestContext"]["http"]["path"] = json!("/");
    requests.push((CONSOLE, page));
    requests.push((CHECKER, read(&folder().join("tick.json"))));
    requests.push((NOTIFIER, read(&folder().join("notifications-due.json"))));
    requests
}

/// Invokes functions with the unchanged events. Because no workspace has their keys and ids, requests must be
/// refused with 401 and messages must succeed without effect. Returns the number of failures.
pub(crate) async fn invoke_samples(release: &Release, environment: &FunctionEnvironment) -> usize {
    let mut functions = BTreeMap::new();
    let mut failed = 0;
    let files = std::fs::read_dir(folder()).expect("the sample events");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    files.sort();
    for file in files {
        let event = read(&file);
        let path = event["rawPath"].as_str().unwrap_or_default();
        let of_path = openapi::endpoints::functions()
            .into_iter()
            .find(|function| function.paths().contains(path));
        let is_notification = event.to_string().contains(NotificationsDue::SOURCE);
        let of_queue = if is_notification { NOTIFIER } else { CHECKER };
        let function = of_path.map_or(of_queue, |function| function.name);
        if !functions.contains_key(function) {
            functions.insert(
                function,
                LambdaEmulator::start(release, function, &environment.variables).await,
            );
        }
        let result = functions[function].invoke(&event).await;
        let is_expected = match &result {
            Ok(answer) if path.is_empty() => answer["batchItemFailures"].as_array().is_none_or(Vec::is_empty),
            Ok(answer) => answer["statusCode"] == 401 && answer["body"] == r#"{"error":"Invalid API key"}"#,
            Err(_) => false,
        };
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let status = if is_expected { "ok" } else { "FAILED" };
        println!("{status:6} {name} to {function}");
        if !is_expected {
            println!("       {result:?}");
            failed += 1;
        }
    }
    failed
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../infra/events")
}

fn read(file: &Path) -> Value {
    let text = std::fs::read_to_string(file).expect("a sample event");
    serde_json::from_str(&text).expect("JSON")
}
