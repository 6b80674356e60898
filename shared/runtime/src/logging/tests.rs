use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tracing::subscriber::with_default;

use super::subscriber;
use crate::metrics::{LATENCY, METRICS, OVERDUE_CHECKS, RATE_LIMITS, REQUESTS, count};

/// Returns the lines that are written while `work` runs.
fn lines(level: &str, namespace: Option<&str>, work: impl FnOnce()) -> Vec<Value> {
    let lines = Arc::<Mutex<Vec<String>>>::default();
    let sink = lines.clone();
    let write = move |line: &str| sink.lock().unwrap().push(line.to_owned());
    with_default(subscriber(Some(level), namespace, write), work);
    let lines = lines.lock().unwrap();
    let lines = lines.iter().map(|line| {
        let line = line.strip_suffix('\n').unwrap();
        assert!(!line.contains('\n'));
        serde_json::from_str(line).unwrap()
    });
    lines.collect()
}

fn messages(level: &str, namespace: Option<&str>, work: impl FnOnce()) -> Vec<Value> {
    let lines = lines(level, namespace, work).into_iter();
    lines.map(|line| line["message"].clone()).collect()
}

#[test]
fn a_line_has_the_fields_of_all_its_spans_and_its_own_at_the_top() {
    let lines = lines("info", None, || {
        let outer = tracing::error_span!("outer", request.id = "r", key.id = tracing::field::Empty);
        let _outer = outer.enter();
        let _inner = tracing::error_span!("inner", shard.number = 3).entered();
        outer.record("key.id", "k");
        tracing::warn!(
            reason = "two\nlines",
            wait.ms = 7,
            absent = None::<u32>,
            "it waits"
        );
    });
    let mut line = lines[0].clone();
    let at = line["timestamp"].take();
    assert!(
        at.as_str().is_some_and(|at| at.len() == 24 && at.ends_with('Z')),
        "{at}"
    );
    assert_eq!(
        line,
        json!({
            "timestamp": null, "level": "WARN", "message": "it waits", "target": "runtime::logging::tests",
            "request.id": "r", "key.id": "k", "shard.number": 3, "reason": "two\nlines", "wait.ms": 7,
        })
    );
}

#[test]
fn a_line_above_the_level_keeps_the_ids_of_its_spans() {
    let lines = lines("warn", None, || {
        let _span = tracing::error_span!("request", request.id = "r").entered();
        tracing::info!("not shown");
        tracing::error!("shown");
    });
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0]["request.id"], "r");
}

fn some_of_each() {
    tracing::trace!("trace");
    tracing::debug!("debug");
    tracing::info!("info");
    tracing::info!({ REQUESTS } = 1, "counted");
    tracing::error!(target: "lambda_runtime::layers::panic", "repeated");
}

#[test]
fn metrics_are_written_at_any_level_where_there_is_a_namespace_and_trace_never_is() {
    assert_eq!(messages("error", Some("N"), some_of_each), ["counted"]);
    assert_eq!(messages("error", None, some_of_each), [] as [&str; 0]);
    assert_eq!(messages("nonsense=what", None, some_of_each), ["info", "counted"]);
    assert_eq!(
        messages("trace", Some("N"), some_of_each),
        ["debug", "info", "counted"]
    );
}

#[test]
fn a_line_with_metrics_says_what_cloudwatch_shall_take_from_it() {
    let lines = lines("info", Some("N/Stack"), || {
        let _span = tracing::error_span!("invocation", function.name = "checker").entered();
        tracing::info!(
            { LATENCY } = 12.5,
            { OVERDUE_CHECKS } = 0,
            { RATE_LIMITS } = 2,
            "no provider is named"
        );
        tracing::info!(
            { REQUESTS } = count(0),
            { RATE_LIMITS } = count(2),
            provider.name = "openai",
            "named"
        );
        tracing::info!({ REQUESTS } = count(0), "nothing");
    });
    let of_function = json!({
        "Namespace": "N/Stack",
        "Dimensions": [["Function"]],
        "Metrics": [{"Name": "Latency", "Unit": "Milliseconds"}, {"Name": "OverdueChecks", "Unit": "Count"}],
    });
    assert_eq!(lines[0]["_aws"]["CloudWatchMetrics"], json!([of_function]));
    assert_eq!(
        (&lines[0]["Function"], &lines[0]["Latency"]),
        (&json!("checker"), &json!(12.5))
    );
    let of_provider = json!({
        "Namespace": "N/Stack",
        "Dimensions": [["Provider"]],
        "Metrics": [{"Name": "RateLimits", "Unit": "Count"}],
    });
    assert_eq!(lines[1]["_aws"]["CloudWatchMetrics"], json!([of_provider]));
    assert_eq!(lines[1]["Provider"], "openai");
    assert!(lines[2].get("_aws").is_none(), "{}", lines[2]);
}

#[test]
fn metrics_keep_their_dimension_where_nothing_else_is_logged() {
    for level in ["off", "checker=debug"] {
        let lines = lines(level, Some("N"), || {
            let _span = tracing::error_span!("request", function.name = "entities").entered();
            tracing::info!({ REQUESTS } = 1, "counted");
            tracing::error!("not shown");
        });
        assert_eq!(lines.len(), 1, "{level}: {lines:?}");
        assert_eq!(lines[0]["Function"], "entities");
    }
}

#[test]
fn every_metric_has_a_name_of_its_own() {
    let mut names: Vec<&str> = METRICS.iter().map(|metric| metric.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), METRICS.len());
}
