//! Alarms watch existing metrics, and each alarm notifies somebody.

use std::collections::BTreeSet;

use events::CheckQueue;
use runtime::metrics::{CHECKS_PARTIAL, FAILED_STEPS, OVERDUE_CHECKS};
use serde_yaml_ng::Value;

use super::{
    FUNCTIONS, functions, queue_name, resources, root, tagged, template, template_with, text, texts,
};

/// Metrics that AWS publishes, with the dimension that names the resource, and the metrics of the stack itself. The
/// source is each service's guide.
const METRICS: [(&str, &str, &[&str]); 4] = [
    (
        "AWS/ApiGateway",
        "ApiId",
        &[
            "4xx",
            "5xx",
            "Count",
            "DataProcessed",
            "IntegrationLatency",
            "Latency",
        ],
    ),
    (
        "AWS/Lambda",
        "FunctionName",
        &[
            "ConcurrentExecutions",
            "Duration",
            "Errors",
            "Invocations",
            "Throttles",
        ],
    ),
    (
        "AWS/SQS",
        "QueueName",
        &[
            "ApproximateAgeOfOldestMessage",
            "ApproximateNumberOfMessagesVisible",
        ],
    ),
    (
        "VisibilityTracking/${AWS::StackName}",
        "Function",
        &[OVERDUE_CHECKS, FAILED_STEPS, CHECKS_PARTIAL],
    ),
];

/// Asserts that the namespace, the name and the dimensions of a metric are known.
fn assert_known(alarm: &str, metric: &Value) {
    let known = METRICS
        .iter()
        .find(|(namespace, ..)| metric["Namespace"] == *namespace);
    let (_, dimension, names) = known.unwrap_or_else(|| panic!("{alarm}: {metric:?}"));
    assert!(
        names.iter().any(|name| metric["MetricName"] == *name),
        "{alarm}: {metric:?}"
    );
    let dimensions = metric["Dimensions"].as_sequence().unwrap();
    assert_eq!(dimensions.len(), 1, "{alarm}");
    assert_eq!(dimensions[0]["Name"], *dimension, "{alarm}");
}

#[test]
fn every_alarm_watches_a_metric_that_exists_and_tells_of_it() {
    let template = template_with(&[("AlarmEmail", "operator@example.com")]);
    let alarms = resources(&template, "AWS::CloudWatch::Alarm");
    assert_eq!(alarms.len(), 12);
    for (name, alarm) in &alarms {
        match alarm.get("Metrics") {
            None => assert_known(name, alarm),
            Some(metrics) => {
                for metric in metrics
                    .as_sequence()
                    .unwrap()
                    .iter()
                    .filter(|m| m.get("MetricStat").is_some())
                {
                    assert_known(name, &metric["MetricStat"]["Metric"]);
                }
            }
        }
        assert!(alarm.get("TreatMissingData").is_some(), "{name}");
        assert_eq!(texts(&alarm["AlarmActions"]), ["AlarmTopic"], "{name}");
    }
    assert_eq!(tagged()["Resources"]["AlarmTopic"]["Condition"], "HasAlarmEmail");
}

#[test]
fn the_runbook_says_what_every_alarm_means() {
    let runbook = std::fs::read_to_string(root().join("infra/README.md")).unwrap();
    let section = runbook
        .split("## Alarms")
        .nth(1)
        .unwrap()
        .split("Metrics are")
        .next()
        .unwrap();
    let cells = section
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split(" |").next());
    let explained: BTreeSet<String> = cells
        .filter(|cell| *cell != "Alarm")
        .flat_map(|cell| cell.split(", "))
        .map(|name| format!("{name}Alarm"))
        .collect();
    let alarms: BTreeSet<String> = resources(&template(), "AWS::CloudWatch::Alarm")
        .into_keys()
        .collect();
    assert_eq!(explained, alarms);
}

#[test]
fn errors_of_every_function_are_watched() {
    let template = template();
    let alarm = &resources(&template, "AWS::CloudWatch::Alarm")["FunctionErrorsAlarm"];
    let metrics = alarm["Metrics"].as_sequence().unwrap();
    let watched: BTreeSet<String> = metrics
        .iter()
        .filter(|metric| metric.get("MetricStat").is_some())
        .map(|metric| text(&metric["MetricStat"]["Metric"]["Dimensions"][0]["Value"]))
        .collect();
    let deployed: BTreeSet<String> = resources(&template, "AWS::Serverless::Function")
        .into_keys()
        .collect();
    assert_eq!(watched, deployed);
    assert_eq!(functions(&template).len(), FUNCTIONS.len());
}

#[test]
fn overdue_checks_raise_an_alarm_after_a_quarter_of_an_hour() {
    let template = template();
    let alarm = &resources(&template, "AWS::CloudWatch::Alarm")["OverdueChecksAlarm"];
    assert_eq!(alarm["Dimensions"][0]["Value"], "checker");
    let seconds = alarm["Period"].as_u64().unwrap() * alarm["EvaluationPeriods"].as_u64().unwrap();
    assert_eq!(seconds, 15 * 60);
    assert_eq!(alarm["DatapointsToAlarm"], alarm["EvaluationPeriods"]);
    assert_eq!(
        (&alarm["Statistic"], &alarm["ComparisonOperator"]),
        (&"Maximum".into(), &"GreaterThanThreshold".into())
    );
    assert_eq!(alarm["Threshold"], 0);
    assert_eq!(alarm["TreatMissingData"], "notBreaching");
}

#[test]
fn a_missing_tick_raises_an_alarm_without_any_data() {
    let template = template();
    let alarm = &resources(&template, "AWS::CloudWatch::Alarm")["CheckerSilentAlarm"];
    assert_eq!(
        (&alarm["MetricName"], &alarm["Statistic"]),
        (&OVERDUE_CHECKS.into(), &"SampleCount".into())
    );
    assert_eq!(
        (&alarm["ComparisonOperator"], &alarm["Threshold"]),
        (&"LessThanThreshold".into(), &1.into())
    );
    assert_eq!(alarm["TreatMissingData"], "breaching");
}

/// Returns the alarm of a queue. Those of the shards' queue have no prefix.
fn queue_alarm(template: &Value, queue: CheckQueue, name: &str) -> Value {
    let prefix = match queue {
        CheckQueue::Shards => "",
        other => queue_name(other),
    };
    resources(template, "AWS::CloudWatch::Alarm")[&format!("{prefix}{name}")].clone()
}

#[test]
fn a_message_that_waits_too_long_in_a_queue_raises_an_alarm() {
    let template = template();
    let timeout = functions(&template)["checker"]["Timeout"].as_u64().unwrap();
    for (queue, seconds) in [
        // A worker takes up to its timeout, so a shard that is worked on raises none.
        (CheckQueue::Shards, 2 * timeout),
        (CheckQueue::Steps, 5 * 60),
        (CheckQueue::Rereadings, 60 * 60),
    ] {
        let alarm = queue_alarm(&template, queue, "BacklogAlarm");
        assert_eq!(alarm["MetricName"], "ApproximateAgeOfOldestMessage");
        let watched = format!("{}Queue.QueueName", queue_name(queue));
        assert_eq!(alarm["Dimensions"][0]["Value"], watched);
        assert_eq!(
            (&alarm["Statistic"], &alarm["ComparisonOperator"]),
            (&"Maximum".into(), &"GreaterThanThreshold".into())
        );
        assert_eq!(alarm["Threshold"], seconds, "{queue:?}");
    }
}

#[test]
fn one_dead_letter_raises_the_alarm_of_its_queue() {
    let template = template();
    for queue in CheckQueue::ALL {
        let alarm = queue_alarm(&template, queue, "DeadLettersAlarm");
        assert_eq!(alarm["MetricName"], "ApproximateNumberOfMessagesVisible");
        let watched = format!("{}DeadLetters.QueueName", queue_name(queue));
        assert_eq!(alarm["Dimensions"][0]["Value"], watched);
        assert_eq!(
            (&alarm["ComparisonOperator"], &alarm["Threshold"]),
            (&"GreaterThanOrEqualToThreshold".into(), &1.into()),
            "{queue:?}"
        );
    }
}
