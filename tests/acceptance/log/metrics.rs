//! The metrics that CloudWatch extracts from the log.

use std::collections::BTreeMap;

use acceptance::{FakeOpenAi, Fault, FaultInjector, ProviderReply, World, answer};
use domain::clock::Clock;
use domain::limits::OVERDUE_AFTER;
use domain::time::MILLISECOND;
use lambda_http::LambdaEvent;
use local::invocation::context;
use reqwest::Method;
use runtime::SystemClock;
use runtime::metrics::{LATENCY, METRICS, OVERDUE_CHECKS};
use serde_json::{Value, json};

use super::CapturedLog;
use super::capture::NAMESPACE;
use super::requests::is_authentication;
use crate::checker::fixture::{CheckerFixture, default_answer};

/// Returns the values that CloudWatch extracts, in order, by the dimension's name and value and by metric.
/// Panics if CloudWatch would reject a line.
fn counted(log: &CapturedLog) -> BTreeMap<(String, &'static str), Vec<f64>> {
    let mut counted = BTreeMap::<_, Vec<f64>>::new();
    for line in log.text().lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let Some(aws) = line.get("_aws") else {
            for metric in METRICS {
                assert!(line.get(metric.name).is_none(), "{line}");
            }
            continue;
        };
        let written = aws["Timestamp"].as_i64().unwrap();
        assert!(
            (0..60_000).contains(&(SystemClock.real_now().as_millis() - written)),
            "{line}"
        );
        for directive in aws["CloudWatchMetrics"].as_array().unwrap() {
            assert_eq!(directive["Namespace"], NAMESPACE);
            let dimensions = directive["Dimensions"].as_array().unwrap();
            assert_eq!(
                (dimensions.len(), dimensions[0].as_array().unwrap().len()),
                (1, 1)
            );
            let dimension = dimensions[0][0].as_str().unwrap();
            let value = line[dimension].as_str().unwrap();
            for named in directive["Metrics"].as_array().unwrap() {
                let metric = METRICS
                    .iter()
                    .find(|metric| named["Name"] == metric.name)
                    .unwrap();
                assert_eq!(
                    (&named["Unit"], metric.dimension.name()),
                    (&json!(metric.unit), dimension)
                );
                let number = line[metric.name].as_f64().unwrap();
                let may_be_zero = [OVERDUE_CHECKS, LATENCY].contains(&metric.name);
                assert!(number > 0.0 || number == 0.0 && may_be_zero, "{line}");
                let key = (format!("{dimension}={value}"), metric.name);
                counted.entry(key).or_default().push(number);
            }
        }
    }
    counted
}

fn sum(log: &CapturedLog, of: &str, metric: &str) -> f64 {
    let counted = counted(log);
    let mut numbers = counted
        .iter()
        .filter(|((whose, name), _)| whose == of && *name == metric);
    numbers.next().map_or(0.0, |(_, numbers)| numbers.iter().sum())
}

#[tokio::test]
async fn requests_are_counted_by_function_with_their_errors_and_latency() {
    let faults = FaultInjector::default();
    let world = World::start_with_api_faults(&faults).await;
    let account = world.account().await;
    let log = CapturedLog::start();
    world.get(&account, "/workspace").await.ok();
    world.get(&account, "/nothing").await.error(404);
    world.send(None, Method::GET, "/models", None).await.error(401);
    world.get(&account, "/entities").await.ok();
    faults.script(|call| (!is_authentication(call)).then_some(Fault::ValidationError));
    world.get(&account, "/workspace").await.error(500);
    faults.none();

    let counted = counted(&log);
    let of = |whose: &str, metric: &'static str| {
        let numbers = counted.get(&(format!("Function={whose}"), metric));
        numbers.map_or((0, 0.0), |numbers| (numbers.len(), numbers.iter().sum()))
    };
    assert_eq!(of("workspace", "Requests"), (4, 4.0));
    assert_eq!(of("workspace", "Latency").0, 4);
    assert_eq!(of("workspace", "ClientErrors"), (2, 2.0));
    assert_eq!(of("workspace", "ServerErrors"), (1, 1.0));
    assert_eq!(of("entities", "Requests"), (1, 1.0));
    assert_eq!(of("entities", "ClientErrors"), (0, 0.0));
    assert_eq!(counted.len(), 6, "{counted:?}");
}

#[tokio::test]
async fn a_check_is_counted_with_its_answers_credits_and_errors() {
    let provider = FakeOpenAi::start(|body: &Value| match body["input"].as_str().unwrap() {
        "Refused?" => {
            let mut refusal = answer("", &[], &[]);
            refusal["output"][0]["content"] = json!([{"type": "refusal", "refusal": "No."}]);
            ProviderReply::from(refusal)
        }
        "Failed?" => ProviderReply::error(400, "invalid_prompt"),
        _ => ProviderReply::from(answer("Acme.", &[], &[])),
    })
    .await;
    let world = World::asking(&provider).await;
    let account = world.account().await;
    let log = CapturedLog::start();
    let prompts = ["One?", "Two?", "Refused?", "Failed?"];
    let entity = world
        .entity(&account, "Acme", "acme.com", &prompts, json!({}))
        .await;
    world.checked(&account, &entity).await;
    let used = world.get(&account, "/workspace").await.ok()["data"]["usage"]["credits"]["totalUsed"].clone();
    assert!(used.as_f64().unwrap() > 0.0);

    assert_eq!(sum(&log, "Function=entities", "ChecksClaimed"), 1.0);
    let of_checker = |metric: &str| sum(&log, "Function=checker", metric);
    assert_eq!(of_checker("ChecksClaimed"), 0.0);
    assert_eq!(of_checker("ChecksFinished"), 1.0);
    assert_eq!(of_checker("ChecksPartial"), 0.0);
    assert_eq!(of_checker("Answers"), 2.0);
    assert_eq!(of_checker("AnswersRefused"), 1.0);
    assert_eq!(of_checker("AnswersFailed"), 1.0);
    assert_eq!(of_checker("CreditsCharged"), used.as_f64().unwrap());
    assert_eq!(sum(&log, "Provider=openai", "RequestErrors"), 1.0);
}

/// Returns the number of overdue checks that the next tick counts before it processes them.
async fn overdue(fixture: &CheckerFixture) -> f64 {
    let log = CapturedLog::start();
    let tick = LambdaEvent::new(fixture.tick_event(false), context("tick", None));
    fixture.checker.invoke(tick).await.unwrap();
    let counted = counted(&log);
    let found = &counted[&("Function=checker".to_owned(), OVERDUE_CHECKS)];
    assert_eq!(found.len(), 1, "every tick says it once");
    found[0]
}

#[tokio::test]
async fn a_check_is_overdue_until_a_tick_processes_it() {
    let fixture = CheckerFixture::start(2, default_answer).await;
    // The tick finds the due check and cannot process it.
    let hinder = || {
        let faults = &fixture.table.faults;
        faults.script(|call| (call.operation != "Query").then_some(Fault::Unreachable));
    };
    hinder();
    assert_eq!(overdue(&fixture).await, 0.0);
    fixture.table.advance(OVERDUE_AFTER);
    assert_eq!(overdue(&fixture).await, 0.0);
    fixture.table.advance(MILLISECOND);
    assert_eq!(overdue(&fixture).await, 1.0);
    fixture.table.faults.none();
    assert_eq!(overdue(&fixture).await, 1.0, "this one claims it");
    assert_eq!(overdue(&fixture).await, 0.0);

    // The workers crash, and at the deadline the ticks are lost for a while.
    fixture.crash_each_worker().await;
    fixture.reach_deadline().await;
    fixture.table.advance(OVERDUE_AFTER + MILLISECOND);
    hinder();
    assert_eq!(overdue(&fixture).await, 1.0);
    fixture.table.faults.none();
    let log = CapturedLog::start();
    let tick = LambdaEvent::new(fixture.tick_event(false), context("tick", None));
    fixture.checker.invoke(tick).await.unwrap();
    for (metric, expected) in [
        ("ChecksFinished", 1.0),
        ("ChecksPartial", 1.0),
        ("AnswersFailed", 4.0),
    ] {
        assert_eq!(sum(&log, "Function=checker", metric), expected, "{metric}");
    }
    drop(log);
    assert_eq!(overdue(&fixture).await, 0.0);
}

#[tokio::test]
async fn the_check_of_a_deleted_entity_ends_and_is_not_counted_as_partial() {
    let fixture = CheckerFixture::start(2, default_answer).await;
    fixture.tick().await;
    let store = &fixture.table.store;
    let deleted = store.delete_entity(&fixture.tenant, &fixture.entity).await;
    assert_eq!(deleted, Ok(()));
    fixture.take_published().await;
    fixture.tick().await;
    let log = CapturedLog::start();
    for step in fixture.take_published().await {
        let step = LambdaEvent::new(step, context("step", None));
        fixture.checker.invoke(step).await.unwrap();
    }
    let of_checker = |metric| sum(&log, "Function=checker", metric);
    assert_eq!(of_checker("ChecksFinished"), 1.0);
    assert_eq!(of_checker("ChecksPartial"), 0.0);
}
