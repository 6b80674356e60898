//! The metrics, in CloudWatch's embedded metric format: what CloudWatch charts and what alarms look at.
//!
//! A metric is a field of a log event with the metric's name and a number: the line that is written anyway says it as
//! well. CloudWatch bills each pair of a metric and a dimension's value, in the hours in which it has a value: at most 63
//! in all, 4 of each of 6 API functions, `ChecksClaimed` of the two functions that claim, 7 more of the checker, and 5
//! of each of 6 providers, seldom seen. Nothing that is zero is written, but `OverdueChecks`, which an alarm waits for,
//! and a latency.

use serde_json::{Map, Value, json};

/// Requests that were answered, whatever the answer.
pub const REQUESTS: &str = "Requests";
/// From a request's arrival in the function to its answer, in milliseconds.
pub const LATENCY: &str = "Latency";
/// Answers with a status of 400 to 499.
pub const CLIENT_ERRORS: &str = "ClientErrors";
/// Answers with a status of 500 and above. A function that dies gives none; Lambda counts it.
pub const SERVER_ERRORS: &str = "ServerErrors";
/// Checks that were claimed.
pub const CHECKS_CLAIMED: &str = "ChecksClaimed";
/// Checks that ended, partial ones and those of deleted entities among them.
pub const CHECKS_FINISHED: &str = "ChecksFinished";
/// Checks that ended at their deadline, before all their questions were asked.
pub const CHECKS_PARTIAL: &str = "ChecksPartial";
/// What became of the questions of checks that ended.
pub const ANSWERS: &str = "Answers";
pub const ANSWERS_REFUSED: &str = "AnswersRefused";
pub const ANSWERS_FAILED: &str = "AnswersFailed";
/// Credits that ended checks cost.
pub const CREDITS_CHARGED: &str = "CreditsCharged";
/// What a tick finds that should have been worked on a while ago (`domain::limits::OVERDUE_AFTER`).
pub const OVERDUE_CHECKS: &str = "OverdueChecks";
/// Times that a provider did not take a check's question: its rate limit, its overload, or no connection.
pub const RATE_LIMITS: &str = "RateLimits";
/// Times that it took one and did not answer: time-out, broken connection, unreadable or failed answer.
pub const LOST_ANSWERS: &str = "LostAnswers";
/// Times that it refused one because the account has nothing left to spend …
pub const QUOTA_ERRORS: &str = "QuotaErrors";
/// … because of the key …
pub const KEY_ERRORS: &str = "KeyErrors";
/// … or for good.
pub const REQUEST_ERRORS: &str = "RequestErrors";

/// A metric as CloudWatch knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Metric {
    pub name: &'static str,
    /// One of CloudWatch's units.
    pub unit: &'static str,
    pub dimension: Dimension,
}

/// What a metric is counted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dimension {
    /// The function's folder: `checker`.
    Function,
    /// The catalogue's name of the provider: `openai`.
    Provider,
}

impl Dimension {
    const ALL: [Self; 2] = [Self::Function, Self::Provider];

    pub fn name(self) -> &'static str {
        match self {
            Self::Function => "Function",
            Self::Provider => "Provider",
        }
    }

    /// The field of the line that holds its value.
    fn field(self) -> &'static str {
        match self {
            Self::Function => "function.name",
            Self::Provider => "provider.name",
        }
    }
}

/// Every metric there is.
pub const METRICS: [Metric; 17] = [
    counted(REQUESTS, Dimension::Function),
    Metric {
        name: LATENCY,
        unit: "Milliseconds",
        dimension: Dimension::Function,
    },
    counted(CLIENT_ERRORS, Dimension::Function),
    counted(SERVER_ERRORS, Dimension::Function),
    counted(CHECKS_CLAIMED, Dimension::Function),
    counted(CHECKS_FINISHED, Dimension::Function),
    counted(CHECKS_PARTIAL, Dimension::Function),
    counted(ANSWERS, Dimension::Function),
    counted(ANSWERS_REFUSED, Dimension::Function),
    counted(ANSWERS_FAILED, Dimension::Function),
    counted(CREDITS_CHARGED, Dimension::Function),
    counted(OVERDUE_CHECKS, Dimension::Function),
    counted(RATE_LIMITS, Dimension::Provider),
    counted(LOST_ANSWERS, Dimension::Provider),
    counted(QUOTA_ERRORS, Dimension::Provider),
    counted(KEY_ERRORS, Dimension::Provider),
    counted(REQUEST_ERRORS, Dimension::Provider),
];

const fn counted(name: &'static str, dimension: Dimension) -> Metric {
    Metric {
        name,
        unit: "Count",
        dimension,
    }
}

/// A count as a field's value: nothing where it is zero.
pub fn count(n: usize) -> Option<u64> {
    u64::try_from(n).ok().filter(|n| *n > 0)
}

/// Whether a field of an event is a metric.
pub(crate) fn is_metric(field: &str) -> bool {
    METRICS.iter().any(|metric| metric.name == field)
}

/// Adds to a line what makes CloudWatch take metrics from it: `_aws`, and each dimension under its own name. A metric
/// whose dimension the line does not know is none.
pub(crate) fn embed(line: &mut Map<String, Value>, namespace: &str, at_ms: i64) {
    let mut directives = Vec::new();
    for dimension in Dimension::ALL {
        let Some(value) = line.get(dimension.field()).filter(|value| value.is_string()) else {
            continue;
        };
        let value = value.clone();
        let held = METRICS.iter().filter(|metric| {
            metric.dimension == dimension && line.get(metric.name).is_some_and(Value::is_number)
        });
        let held: Vec<Value> = held
            .map(|metric| json!({"Name": metric.name, "Unit": metric.unit}))
            .collect();
        if held.is_empty() {
            continue;
        }
        line.insert(dimension.name().to_owned(), value);
        directives.push(json!({"Namespace": namespace, "Dimensions": [[dimension.name()]], "Metrics": held}));
    }
    if !directives.is_empty() {
        let aws = json!({"Timestamp": at_ms, "CloudWatchMetrics": directives});
        line.insert("_aws".to_owned(), aws);
    }
}
