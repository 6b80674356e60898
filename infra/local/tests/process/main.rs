//! Tests of the binary as a developer runs it, with every way of stopping it.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "what cannot be done fails the test"
)]

mod data_directory;
mod host_process;
mod ports;
mod provider;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use domain::clock::Clock;
use domain::id::EntityId;
use domain::limits::CREATES_PER_HOUR;
use domain::time::Timestamp;
use domain::workspace::Limits;
use host_process::{Process, command};
use provider::Provider;
use reqwest::Method;
use runtime::SystemClock;
use serde_json::{Value, json};
use store::{NewWorkspace, Store, Tenant, connect};
use tokio::net::TcpListener;

/// Creates a workspace directly in the process's table, and returns its key.
async fn workspace(process: &Process) -> (Store, Tenant, String) {
    let endpoint = process.ready["dynamodbEndpoint"].as_str().unwrap();
    let table = process.ready["table"].as_str().unwrap();
    let store = Store::new(
        &connect::to_endpoint(endpoint),
        table,
        std::sync::Arc::new(SystemClock),
    );
    let new = NewWorkspace {
        name: "Test".to_owned(),
        plan_name: "test".to_owned(),
        limits: Limits {
            reads_per_minute: 100_000,
            ..Limits::default()
        },
        credits: 1_000,
    };
    let (tenant, _, key) = store.create_workspace(new, SystemClock.now()).await.unwrap();
    (store, tenant, key.reveal().to_owned())
}

/// Creates an entity with these prompts and the first model, and returns its id.
async fn entity(process: &Process, key: &str, prompts: &[&str]) -> String {
    let models = process.get(key, "/models").await;
    let body =
        json!({"name": "Acme", "domain": "acme.com", "models": [models[0]["uuid"]], "prompts": prompts});
    let created = process.call(key, Method::POST, "/entities", Some(&body)).await;
    created["data"]["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_restart_on_the_same_data_finds_everything_and_continues_service_time() {
    let provider = Provider::start().await;
    let data = tempfile::tempdir().unwrap();
    let process = Process::start(data.path(), &["--empty"], Some(&provider.base_url)).await;
    // Service time is far ahead of real time, so a restart could set it back.
    process.advance(30_000).await;
    let base_url = process.ready["baseUrl"].as_str().unwrap();
    let console_url = process.ready["consoleUrl"].as_str().unwrap();
    assert_eq!(base_url, format!("{console_url}v1"));
    assert!(process.ready.get("apiKey").is_none());
    let (_, _, key) = workspace(&process).await;
    let entity = entity(&process, &key, &["Which tool?", "Which other tool?"]).await;
    let since = Instant::now();
    let status = process.wait_for_check(&key, &entity, &Value::Null).await;
    assert!(since.elapsed() < Duration::from_secs(10));
    let trend_path = format!("/trends/visibility?entityId={entity}");
    let trend = process.get(&key, &trend_path).await;
    assert_eq!(
        (&trend[0]["mentions"], &trend[0]["responses"]),
        (&json!(2), &json!(2))
    );

    let since = Instant::now();
    let exit = process.interrupt().await;
    assert_eq!(exit.code, Some(0), "{}", exit.log);
    assert_eq!(exit.out, "", "one line is all it prints");
    assert!(since.elapsed() < Duration::from_secs(10));

    let process = Process::start(data.path(), &["--empty"], Some(&provider.base_url)).await;
    let path = format!("/entities/tracking-status?entityId={entity}");
    let restarted = process.get(&key, &path).await;
    // A tick of either process applies the new name to the answers.
    let without_rereading = |status: &Value| {
        let mut status = status.clone();
        status["rereading"].take();
        status
    };
    assert_eq!(without_rereading(&restarted), without_rereading(&status));
    assert_eq!(process.get(&key, &trend_path).await, trend);
    let body = json!({"entityId": entity});
    process
        .call(&key, Method::POST, "/entities/run-check", Some(&body))
        .await;
    let completed = &status["lastCheckCompletedAt"];
    let again = process.wait_for_check(&key, &entity, completed).await;
    let (before, after) = (completed.as_str(), again["lastCheckCompletedAt"].as_str());
    assert!(before < after, "{before:?} {after:?}");
    assert_eq!(process.interrupt().await.code, Some(0));
}

#[tokio::test]
async fn a_jump_runs_one_check_for_all_slots_that_it_passes_and_a_restart_continues_after_it() {
    let provider = Provider::start().await;
    let data = tempfile::tempdir().unwrap();
    let process = Process::start(data.path(), &["--empty"], Some(&provider.base_url)).await;
    let (_, _, key) = workspace(&process).await;
    let entity = entity(&process, &key, &["Which tool?"]).await;
    let first = process.wait_for_check(&key, &entity, &Value::Null).await;
    let now = process.advance(10 * 86_400).await;
    let second = process
        .wait_for_check(&key, &entity, &first["lastCheckCompletedAt"])
        .await;
    let at = |status: &Value, name: &str| Timestamp::from_iso(status[name].as_str().unwrap()).unwrap();
    assert!(at(&second, "lastCheckCompletedAt").as_millis() >= now);
    assert!(at(&second, "nextCheckScheduledAt").as_millis() > now);
    process.kill().await;

    let process = Process::start(data.path(), &["--empty"], Some(&provider.base_url)).await;
    assert!(process.advance(0).await >= now);
    let asked = BTreeMap::from([("Which tool?".to_owned(), 2)]);
    assert_eq!(
        provider.asked(),
        asked,
        "once at first, and once for the ten days"
    );
}

#[tokio::test]
async fn a_check_that_was_killed_ends_after_a_restart_and_no_answer_is_paid_for_twice() {
    let provider = Provider::start().await;
    let data = tempfile::tempdir().unwrap();
    let process = Process::start(data.path(), &["--empty"], Some(&provider.base_url)).await;
    let (store, tenant, key) = workspace(&process).await;
    let prompts = ["fast 1?", "slow 1?", "fast 2?", "slow 2?", "fast 3?"];
    let entity = entity(&process, &key, &prompts).await;
    let id: EntityId = entity.parse().unwrap();
    let recorded = async {
        loop {
            let shards = store.shards(&tenant, &id, 1.into()).await.unwrap();
            if shards.first().is_some_and(|s| s.recorded.len() == 3) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), recorded)
        .await
        .unwrap();
    process.kill().await;

    provider.release_slow_questions();
    let process = Process::start(data.path(), &["--empty"], Some(&provider.base_url)).await;
    // The lease of the killed process lasts 150 seconds, and the tick after it reconciles the check.
    process.advance(200).await;
    let status = process.wait_for_check(&key, &entity, &Value::Null).await;
    assert_eq!(status["problems"], json!([]));
    let trend = process
        .get(&key, &format!("/trends/visibility?entityId={entity}"))
        .await;
    assert_eq!(trend[0]["responses"], 5);
    let usage = process.get(&key, "/workspace").await["usage"]["credits"].clone();
    assert_eq!(usage, json!({"balance": 995, "totalUsed": 5}));
    let asked: Vec<(String, u32)> = provider.asked().into_iter().collect();
    let expected = [
        ("fast 1?", 1),
        ("fast 2?", 1),
        ("fast 3?", 1),
        ("slow 1?", 2),
        ("slow 2?", 2),
    ];
    assert_eq!(
        asked,
        expected.map(|(question, times)| (question.to_owned(), times))
    );
}

/// Returns the number of points of each entity of the demo, whichever day it is when they are read.
async fn points(process: &Process) -> Vec<usize> {
    let key = process.ready["apiKey"].as_str().unwrap();
    let today = SystemClock.now().day();
    let (from, to) = (today.plus_days(-60), today.plus_days(7));
    let mut points = Vec::new();
    for entity in process.get(key, "/entities").await.as_array().unwrap() {
        let id = entity["id"].as_str().unwrap();
        let trend = process
            .get(
                key,
                &format!("/trends/visibility?entityId={id}&startDate={from}&endDate={to}"),
            )
            .await;
        points.push(trend.as_array().unwrap().len());
    }
    points
}

/// Returns the board of each entity of the demo about which something is asked.
async fn boards(process: &Process) -> Vec<Value> {
    let key = process.ready["apiKey"].as_str().unwrap();
    let mut boards = Vec::new();
    for entity in process.get(key, "/entities").await.as_array().unwrap() {
        let id = entity["id"].as_str().unwrap();
        if entity["isActive"] == false {
            continue;
        }
        boards.push(
            process
                .get(key, &format!("/entities/actions?entityId={id}"))
                .await,
        );
    }
    boards
}

/// Asserts that every board has active actionables and a task in every column, and that the boards together
/// show most rules and outcomes.
fn assert_boards_in_use(boards: &[Value]) {
    let (mut rules, mut outcomes, mut assigned) = (BTreeSet::new(), 0, 0);
    for board in boards {
        let actionables = board["actionables"].as_array().unwrap();
        let active = actionables.iter().filter(|a| a["status"] == "active");
        let board_rules: BTreeSet<&str> = active.map(|a| a["sourceType"].as_str().unwrap()).collect();
        assert!(!board_rules.is_empty());
        rules.extend(board_rules);
        outcomes += actionables
            .iter()
            .filter(|a| a["metadata"]["outcome"].is_object())
            .count();
        let tasks = board["tasks"].as_array().unwrap();
        let columns: Vec<&Value> = tasks.iter().map(|task| &task["status"]).collect();
        assert_eq!(columns, ["not_started", "in_progress", "in_review", "done"]);
        assigned += tasks
            .iter()
            .map(|task| task["assignees"].as_array().unwrap().len())
            .sum::<usize>();
    }
    assert!(rules.len() >= 6, "{rules:?}");
    assert!(outcomes >= 1 && assigned >= 3, "{outcomes} {assigned}");
}

/// Returns the content of the boards without ids and instants.
fn board_contents(boards: &[Value]) -> Vec<Vec<Vec<Value>>> {
    let content = |board: &Value| {
        let rows = |list: &str| board[list].as_array().unwrap().clone();
        let rows = rows("actionables").into_iter().chain(rows("tasks"));
        let row_content = |row: Value| {
            let fields = ["title", "description", "sourceType", "priority", "status", "type"];
            let outcome = &row["metadata"]["outcome"]["result"];
            fields
                .iter()
                .map(|field| &row[*field])
                .chain([outcome])
                .cloned()
                .collect()
        };
        rows.map(row_content).collect()
    };
    boards.iter().map(content).collect()
}

/// Returns the key of the demo workspace from the data directory, if it was saved.
fn saved_key(data: &Path) -> Option<String> {
    let demo = std::fs::read_to_string(data.join("demo.json")).ok()?;
    let demo: Value = serde_json::from_str(&demo).unwrap();
    Some(demo["apiKey"].as_str().unwrap().to_owned())
}

/// Kills the host while it creates the demo's history, once these lines were logged the given number of
/// times. Starts it twice more and returns the content of the boards.
async fn boards_after_kill(lines: &[(&str, usize)]) -> Vec<Vec<Vec<Value>>> {
    let data = tempfile::tempdir().unwrap();
    let mut process = Process::spawn(data.path(), &[], None);
    for (line, times) in lines {
        process.wait_for_log(line, *times).await;
    }
    process.kill().await;
    let saved_key = saved_key(data.path());
    let process = Process::start(data.path(), &[], None).await;
    assert_eq!(
        points(&process).await,
        [30, 30, 30, 0, 0],
        "nothing is asked about rivals"
    );
    let before = boards(&process).await;
    assert_boards_in_use(&before);
    let key = process.ready["apiKey"].clone();
    assert_eq!(process.demo_key().await, key);
    assert!(saved_key.is_none_or(|saved| key == saved));
    process.kill().await;
    // Another start creates nothing again.
    let since = Instant::now();
    let process = Process::start(data.path(), &[], None).await;
    assert!(since.elapsed() < Duration::from_secs(10));
    assert_eq!(process.ready["apiKey"], key);
    assert_eq!(process.demo_key().await, key);
    assert_eq!(
        points(&process).await,
        [30, 30, 30, 0, 0],
        "nothing is asked about rivals"
    );
    assert_eq!(boards(&process).await, before);
    board_contents(&before)
}

#[tokio::test]
async fn a_demo_history_that_was_killed_anywhere_is_completed_with_equal_boards() {
    // The cases run one after the other, because each one keeps a processor busy.
    let at_its_start = boards_after_kill(&[("creating the demo workspace", 1)]).await;
    let on_its_first_day = boards_after_kill(&[("checks of", 1)]).await;
    assert_eq!(on_its_first_day, at_its_start);
    let amid_a_days_checks = boards_after_kill(&[("checks of", 15), ("a check is finished", 1)]).await;
    assert_eq!(amid_a_days_checks, at_its_start);
}

#[tokio::test]
async fn a_host_with_a_real_provider_creates_no_demo_and_starts_at_the_present() {
    let provider = Provider::start().await;
    let data = tempfile::tempdir().unwrap();
    let before = SystemClock.now().iso();
    let process = Process::start(data.path(), &[], Some(&provider.base_url)).await;
    assert!(process.ready.get("apiKey").is_none());
    let (_, _, key) = workspace(&process).await;
    let entity = entity(&process, &key, &["Which tool?"]).await;
    let status = process.wait_for_check(&key, &entity, &Value::Null).await;
    let completed = status["lastCheckCompletedAt"].as_str().unwrap().to_owned();
    assert!(
        before < completed && completed < SystemClock.now().iso(),
        "{completed}"
    );
}

#[tokio::test]
async fn a_base_url_that_is_no_http_url_is_refused_before_a_key_is_used() {
    for (name, url) in [
        ("OPENAI_BASE_URL", "api.openai.com/v1"),
        ("ANTHROPIC_BASE_URL", "ftp://127.0.0.1"),
        ("GEMINI_BASE_URL", "localhost:8080"),
        ("PERPLEXITY_BASE_URL", "file:///etc/hosts"),
        ("XAI_BASE_URL", "https://"),
        ("MISTRAL_BASE_URL", "nonsense"),
    ] {
        let output = command(&["--empty", "--port", "0"], None)
            .env(name.replace("BASE_URL", "API_KEY"), "sk-secret")
            .env(name, url)
            .output()
            .await
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{name}");
        let log = String::from_utf8(output.stderr).unwrap();
        let expected = format!("error: {name} must be a URL that begins with https:// or http://\n");
        assert_eq!(log, expected, "neither the key nor the URL is shown");
    }
}

#[tokio::test]
async fn a_port_that_is_taken_is_a_clear_error() {
    let taken = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let output = command(&["--empty", "--port", &port], None)
        .output()
        .await
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    let log = String::from_utf8(output.stderr).unwrap();
    assert!(
        log.contains(&format!("port {port} of 127.0.0.1 cannot be used")),
        "{log}"
    );
}

#[tokio::test]
async fn a_host_that_is_interrupted_while_it_generates_its_history_stops() {
    let data = tempfile::tempdir().unwrap();
    let mut process = Process::spawn(data.path(), &[], None);
    process.wait_for_log("checks of", 2).await;
    let exit = process.interrupt().await;
    assert_eq!(exit.code, Some(0), "{}", exit.log);
    assert_eq!(exit.out, "");
}
