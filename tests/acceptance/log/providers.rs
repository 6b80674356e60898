//! Even if a provider repeats everything it receives, the log of a check contains no key, question or answer.

use std::collections::BTreeMap;
use std::time::Duration;

use acceptance::{FakeOpenAi, ProviderReply, World, answer};
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Json, Response};
use local::Options;
use providers::Providers;
use runtime::metrics::{KEY_ERRORS, QUOTA_ERRORS, RATE_LIMITS, REQUEST_ERRORS};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tracing::Level;

use super::CapturedLog;
use super::capture::is_restricted;

/// A marker in everything that must not be logged.
const MARK: &str = "xyzzy";
/// The provider's name in its environment variables, the path after its base URL, and its key.
const VENDORS: [(&str, &str, &str); 6] = [
    ("OPENAI", "/v1", "sk-xyzzyopenai"),
    ("ANTHROPIC", "", "sk-ant-xyzzyanthropic"),
    ("GEMINI", "", "AIza-xyzzygemini"),
    ("PERPLEXITY", "", "pplx-xyzzyperplexity"),
    ("XAI", "/v1", "xai-xyzzyxai"),
    ("MISTRAL", "", "xyzzymistral"),
];

/// Starts a provider that replies to every request with this status. Its body has the vendor's shape and
/// repeats the key and the question wherever a text fits.
async fn echo(status: u16) -> BTreeMap<String, String> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let app = Router::new().fallback(refuse).with_state(status);
    tokio::spawn(async move { axum::serve(listener, app).await });
    let variables = VENDORS.iter().flat_map(|(vendor, version, key)| {
        let base_url = format!("http://{address}/{vendor}{version}");
        [
            (format!("{vendor}_BASE_URL"), base_url),
            (format!("{vendor}_API_KEY"), (*key).to_owned()),
        ]
    });
    variables.collect()
}

async fn refuse(State(status): State<u16>, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    let keys = ["authorization", "x-api-key", "x-goog-api-key"];
    let key = keys
        .iter()
        .find_map(|name| headers.get(*name))
        .unwrap()
        .to_str()
        .unwrap();
    assert!(key.contains(MARK), "{uri}");
    let said = format!("No: {key}. You asked: {}", String::from_utf8_lossy(&body));
    let said = match uri.path().split('/').nth(1).unwrap() {
        "ANTHROPIC" => {
            json!({"type": "error", "error": {"type": key, "message": said, "details": {"error_code": key}}})
        }
        "GEMINI" => {
            json!({"error": {"code": status, "message": said, "status": key, "details": [{"reason": key}]}})
        }
        "XAI" => json!({"code": said, "error": said}),
        "MISTRAL" => json!({"object": "error", "message": said, "type": key, "code": key, "detail": said}),
        _ => json!({"error": {"message": said, "type": key, "code": key, "param": said}}),
    };
    // The delay is long enough to defer the shard, but not for the question to wait.
    let headers = [("retry-after", "60"), ("x-request-id", key)];
    (StatusCode::from_u16(status).unwrap(), headers, Json(said)).into_response()
}

/// Waits up to 30 seconds until enough lines have this message.
async fn wait_for_lines(log: &CapturedLog, message: &str, is_enough: impl Fn(&[Value]) -> bool) {
    for _ in 0..600 {
        if is_enough(&log.with_message(message)) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("not enough lines say: {message}\n{}", log.text());
}

/// Asserts that no line contains a secret, that neither lines from `info` on nor the service's own lines
/// contain a marker, and that each line of the checker has its ids.
fn assert_conforms(log: &CapturedLog, secrets: &[&str]) {
    for line in log.text().lines() {
        for secret in secrets {
            assert!(!line.contains(secret), "{secret} is logged: {line}");
        }
        let shown: Value = serde_json::from_str(line).unwrap();
        assert!(
            !is_restricted(&shown) || !line.to_lowercase().contains(MARK),
            "{line}"
        );
    }
    let lines = log.lines(Level::DEBUG).into_iter();
    for line in lines.filter(|line| line["target"].as_str().unwrap().starts_with("checker")) {
        assert_eq!(line["function.name"], "checker", "{line}");
        assert!(line["request.id"].is_string(), "{line}");
        if line["message"] == "found due checks" {
            continue;
        }
        assert!(
            line["workspace.id"].is_string() && line["entity.id"].is_string(),
            "{line}"
        );
        assert!(line["check.number"].is_number(), "{line}");
        assert_eq!(
            line["shard.number"].is_number(),
            line["event.name"] == "ShardReady",
            "{line}"
        );
    }
}

/// Creates an entity with a model of each configured provider.
async fn entity(world: &World) {
    let account = world.account().await;
    let models = world.models(&account).await;
    let more = json!({"models": models, "description": "Xyzzy description", "aliases": ["Xyzzy Alias"]});
    let prompts = ["Which xyzzy is best?"];
    world
        .entity(&account, "Xyzzy Name", "xyzzy.example", &prompts, more)
        .await;
}

#[tokio::test]
async fn no_provider_error_puts_a_key_or_a_question_into_the_log() {
    for (status, metric) in [
        (401, Some(KEY_ERRORS)),
        (402, Some(QUOTA_ERRORS)),
        (429, Some(RATE_LIMITS)),
        (400, Some(REQUEST_ERRORS)),
        (500, None),
    ] {
        let log = CapturedLog::from(Level::DEBUG);
        let variables = echo(status).await;
        let names = Providers::from_lookup(|name| variables.get(name).cloned()).names();
        assert_eq!(names.len(), VENDORS.len());
        let world = World::with(Options::default(), |name| variables.get(name).cloned()).await;
        entity(&world).await;
        match metric {
            Some(metric) => {
                let counts =
                    |line: &Value, name: &str| line["Provider"] == name && line[metric].as_u64() > Some(0);
                let all = |lines: &[Value]| names.iter().all(|name| lines.iter().any(|l| counts(l, name)));
                wait_for_lines(&log, "provider errors occurred in a shard", all).await;
            }
            // The shard asks again after a delay that is longer than the test needs to wait.
            None => {
                let lost = |lines: &[Value]| lines.len() >= VENDORS.len();
                wait_for_lines(
                    &log,
                    "a provider accepted a question and returned no usable answer",
                    lost,
                )
                .await;
            }
        }
        let keys: Vec<&str> = VENDORS.iter().map(|(.., key)| *key).collect();
        assert_conforms(&log, &keys);
    }
}

#[tokio::test]
async fn answers_and_refusals_are_not_logged_even_at_debug() {
    let provider = FakeOpenAi::start(|body: &Value| {
        let text = "Xyzzyanswer: Acme is best.";
        let url = "https://xyzzyanswer.example/?token=xyzzyanswer";
        match body["input"].as_str().unwrap() {
            "Which xyzzy is refused?" => {
                let mut refusal = answer("", &[], &[]);
                refusal["output"][0]["content"] = json!([{"type": "refusal", "refusal": text}]);
                ProviderReply::from(refusal)
            }
            "Which xyzzy is broken?" => ProviderReply::from(json!({"xyzzyanswer": text})),
            _ => ProviderReply::from(answer(text, &[url], &["xyzzyanswer search"])),
        }
    })
    .await;
    let log = CapturedLog::from(Level::DEBUG);
    let (key, base_url) = ("sk-xyzzyopenai", provider.base_url.clone());
    let world = World::with(Options::default(), |name| match name {
        "OPENAI_API_KEY" => Some(key.to_owned()),
        "OPENAI_BASE_URL" => Some(base_url.clone()),
        _ => None,
    })
    .await;
    let account = world.account().await;
    let prompts = [
        "Which xyzzy is best?",
        "Which xyzzy is refused?",
        "Which xyzzy is broken?",
    ];
    let entity = world
        .entity(&account, "Xyzzy Name", "xyzzy.example", &prompts, json!({}))
        .await;
    world.checked(&account, &entity).await;
    let ended = log.with_message("a check is finished");
    assert_eq!(ended.len(), 1);
    assert_eq!(ended[0]["AnswersRefused"], 1, "{}", ended[0]);
    assert_conforms(&log, &[key, &account.key, "xyzzyanswer", "Xyzzyanswer"]);
}
