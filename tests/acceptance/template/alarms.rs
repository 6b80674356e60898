//! Alarms watch existing metrics, and each alarm notifies somebody.

use std::collections::BTreeSet;

use domain::catalogue::Catalogue;
use events::CheckQueue;
use runtime::metrics::{
    CHECKS_CLAIMED, CHECKS_PARTIAL, CLIENT_ERRORS, DELIVERIES, Dimension, FAILED_DELIVERIES, FAILED_STEPS,
    LATENCY, OVERDUE_CHECKS, REQUESTS, SERVER_ERRORS, WEBHOOKS_DISABLED,
};
use serde_yaml_ng::Value;

use super::{
    FUNCTIONS, functions, queue_name, resources, root, tagged, template, template_with, text, texts,
};

/// Metrics that AWS publishes, with the dimension that names the resource, and the metrics of the stack
/// itself. The source is each service's guide.
const METRICS: [(&str, &str, &[&str]); 5] = [
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
        "AWS/DynamoDB",
        "TableName",
        &[
            "ConsumedReadCapacityUnits",
            "ConsumedWriteCapacityUnits",
            "ReadThrottleEvents",
            "WriteThrottleEvents",
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
        &[OVERDUE_CHECKS, FAILED_STEPS, CHECKS_PARTIAL, WEBHOOKS_DISABLED],
    ),
];

/// Returns whether a function writes a metric that is counted by function.
fn is_written_by(metric: &str, function: &str) -> bool {
    let by_requests = [REQUESTS, LATENCY, CLIENT_ERRORS, SERVER_ERRORS];
    match metric {
        metric if by_requests.contains(&metric) => {
            FUNCTIONS.contains(&function) && !["checker", "notifier"].contains(&function)
        }
        CHECKS_CLAIMED => ["checker", "entities", "mcp"].contains(&function),
        FAILED_STEPS => ["checker", "notifier"].contains(&function),
        DELIVERIES | FAILED_DELIVERIES | WEBHOOKS_DISABLED => function == "notifier",
        _ => function == "checker",
    }
}

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
    assert_eq!(dimensions[0]["Name"], *dimension, "{alarm}");
    if *dimension == Dimension::Function.name() {
        let (name, function) = (text(&metric["MetricName"]), text(&dimensions[0]["Value"]));
        assert!(is_written_by(&name, &function), "{alarm}: {name} of {function}");
    }
    match &dimensions[1..] {
        [] => {}
        [index] => {
            assert_eq!(metric["Namespace"], "AWS/DynamoDB", "{alarm}");
            assert_eq!(
                (&index["Name"], &index["Value"]),
                (&"GlobalSecondaryIndexName".into(), &"due".into())
            );
        }
        more => panic!("{alarm}: {more:?}"),
    }
}

#[test]
fn every_alarm_watches_a_metric_that_exists_and_tells_of_it() {
    let template = template_with(&[("AlarmEmail", "operator@example.com")]);
    let alarms = resources(&template, "AWS::CloudWatch::Alarm");
    assert_eq!(alarms.len(), 19);
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
        for actions in ["AlarmActions", "OKActions"] {
            assert_eq!(texts(&alarm[actions]), ["AlarmTopic"], "{name}");
        }
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
fn the_rollback_triggers_of_the_runbook_are_alarms_and_no_more_than_cloudformation_takes() {
    let runbook = std::fs::read_to_string(root().join("infra/README.md")).unwrap();
    let triggers: BTreeSet<&str> = runbook
        .split("{Arn=$(alarm ")
        .skip(1)
        .map(|rest| rest.split(')').next().unwrap())
        .collect();
    let alarms = resources(&template(), "AWS::CloudWatch::Alarm");
    for trigger in &triggers {
        assert!(alarms.contains_key(*trigger), "{trigger}");
    }
    assert!(
        triggers.contains("WorkerErrorsAlarm"),
        "every function is watched"
    );
    // AWS CloudFormation, API reference, RollbackConfiguration: at most five.
    assert!(triggers.len() <= 5, "{triggers:?}");
}

#[test]
fn errors_and_throttles_of_every_function_are_watched() {
    let template = template();
    let alarms = resources(&template, "AWS::CloudWatch::Alarm");
    let workers = ["CheckerFunction", "NotifierFunction"].map(str::to_owned);
    let (workers, api): (BTreeSet<String>, BTreeSet<String>) =
        resources(&template, "AWS::Serverless::Function")
            .into_keys()
            .partition(|function| workers.contains(function));
    for name in ["Errors", "Throttles"] {
        for (alarm, functions) in [("Function", &api), ("Worker", &workers)] {
            let alarm = &alarms[&format!("{alarm}{name}Alarm")];
            let metrics = alarm["Metrics"].as_sequence().unwrap();
            let metrics = metrics.iter().filter_map(|metric| metric.get("MetricStat"));
            let metrics = metrics.map(|stat| &stat["Metric"]);
            let watched: BTreeSet<String> = metrics
                .clone()
                .map(|metric| text(&metric["Dimensions"][0]["Value"]))
                .collect();
            assert_eq!(watched, *functions);
            assert!(metrics.into_iter().all(|metric| metric["MetricName"] == name));
        }
    }
    assert_eq!(functions(&template).len(), FUNCTIONS.len());
}

/// Returns the metrics of the dashboard, each as its namespace, its name, its dimension and the dimension's
/// value.
fn dashboard_metrics(template: &Value) -> Vec<[String; 4]> {
    let body = &resources(template, "AWS::CloudWatch::Dashboard")["Dashboard"]["DashboardBody"];
    let body: serde_json::Value = serde_json::from_str(&text(&body[0])).unwrap();
    let widgets = body["widgets"].as_array().unwrap().iter();
    let metrics = widgets.flat_map(|widget| widget["properties"]["metrics"].as_array().unwrap());
    let part = |metric: &serde_json::Value, index: usize| metric[index].as_str().unwrap().to_owned();
    metrics
        .map(|metric| [0, 1, 2, 3].map(|index| part(metric, index)))
        .collect()
}

#[test]
fn the_dashboard_shows_every_metric_of_the_functions_and_only_metrics_that_exist() {
    let template = template();
    let shown = dashboard_metrics(&template);
    let catalogue = Catalogue::shipped().unwrap();
    let mut own = BTreeSet::new();
    for [namespace, name, dimension, value] in &shown {
        if namespace != "VisibilityTracking/${AWS::StackName}" {
            let metric = (namespace.as_str(), dimension.as_str());
            let known = METRICS.iter().find(|known| (known.0, known.1) == metric);
            assert!(
                known.is_some_and(|known| known.2.contains(&name.as_str())),
                "{namespace} {name}"
            );
            continue;
        }
        let written = runtime::metrics::METRICS
            .iter()
            .find(|metric| metric.name == name);
        let written = written.unwrap_or_else(|| panic!("{name} is not written"));
        assert_eq!(written.dimension.name(), dimension, "{name}");
        let exists = match written.dimension {
            Dimension::Function => is_written_by(name, value),
            Dimension::Provider => catalogue.models().iter().any(|model| model.provider == *value),
        };
        assert!(exists, "{name} of {value}");
        own.insert(name.as_str());
    }
    let unseen = [CLIENT_ERRORS, SERVER_ERRORS];
    let written = runtime::metrics::METRICS.iter().map(|metric| metric.name);
    let expected: BTreeSet<&str> = written.filter(|name| !unseen.contains(name)).collect();
    assert_eq!(own, expected, "API Gateway counts the errors of all functions");
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
