//! Metrics in CloudWatch's embedded metric format.
//!
//! A metric is a numeric field of a log event, with the metric's name. CloudWatch bills each pair of a metric
//! and a dimension value for every hour in which it has a value. There are at most 77 pairs: 4 for each of 8
//! functions behind API Gateway, `ChecksClaimed` for the three functions that claim, 8 more for the checker,
//! 4 for the notifier, and 5 for each of 6 providers, which are rare. Zeros are not written, except
//! `OverdueChecks`, which an alarm needs, and latencies.

use serde_json::{Map, Value, json};

/// Requests with a response of any status.
pub const REQUESTS: &str = "Requests";
/// The time from a request's arrival in the function to its response, in milliseconds.
pub const LATENCY: &str = "Latency";
/// Responses with a status of 400 to 499.
pub const CLIENT_ERRORS: &str = "ClientErrors";
/// Responses with a status of 500 and above. Lambda counts functions that crash without a response.
pub const SERVER_ERRORS: &str = "ServerErrors";
/// Claimed checks.
pub const CHECKS_CLAIMED: &str = "ChecksClaimed";
/// Finished checks, including partial ones and those of deleted entities.
pub const CHECKS_FINISHED: &str = "ChecksFinished";
/// Checks that finished at their deadline, before all their questions were asked.
pub const CHECKS_PARTIAL: &str = "ChecksPartial";
/// Answered questions of finished checks.
pub const ANSWERS: &str = "Answers";
/// Questions of finished checks that the model refused to answer.
pub const ANSWERS_REFUSED: &str = "AnswersRefused";
/// Questions of finished checks that failed.
pub const ANSWERS_FAILED: &str = "AnswersFailed";
/// Credits that finished checks cost.
pub const CREDITS_CHARGED: &str = "CreditsCharged";
/// Checks that are overdue by more than `domain::limits::OVERDUE_AFTER` when a tick runs.
pub const OVERDUE_CHECKS: &str = "OverdueChecks";
/// Steps of checks that failed. Another attempt follows.
pub const FAILED_STEPS: &str = "FailedSteps";
/// Attempts at deliveries that receivers of webhooks accepted.
pub const DELIVERIES: &str = "Deliveries";
/// Attempts at deliveries that failed.
pub const FAILED_DELIVERIES: &str = "FailedDeliveries";
/// Webhooks that were disabled because their receivers accepted nothing for days.
pub const WEBHOOKS_DISABLED: &str = "WebhooksDisabled";
/// Questions that a provider did not accept because of a rate limit, an overload or a missing connection.
pub const RATE_LIMITS: &str = "RateLimits";
/// Questions that a provider accepted without a usable answer: timeouts, broken connections, unreadable or
/// failed answers.
pub const LOST_ANSWERS: &str = "LostAnswers";
/// Questions that a provider did not accept because the account has no quota or credits left.
pub const QUOTA_ERRORS: &str = "QuotaErrors";
/// Questions that a provider did not accept because of the key.
pub const KEY_ERRORS: &str = "KeyErrors";
/// Questions that a provider refused permanently.
pub const REQUEST_ERRORS: &str = "RequestErrors";

/// A metric in CloudWatch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Metric {
    /// The metric's name.
    pub name: &'static str,
    /// The metric's unit, one of CloudWatch's.
    pub unit: &'static str,
    /// The dimension that the metric is counted by.
    pub dimension: Dimension,
}

/// A dimension of metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dimension {
    /// The name of the function's folder, such as `checker`.
    Function,
    /// The provider's name in the catalogue, such as `openai`.
    Provider,
}

impl Dimension {
    const ALL: [Self; 2] = [Self::Function, Self::Provider];

    /// Returns the dimension's name in CloudWatch.
    pub fn name(self) -> &'static str {
        match self {
            Self::Function => "Function",
            Self::Provider => "Provider",
        }
    }

    fn field(self) -> &'static str {
        match self {
            Self::Function => "function.name",
            Self::Provider => "provider.name",
        }
    }
}

/// All metrics.
pub const METRICS: [Metric; 21] = [
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
    counted(FAILED_STEPS, Dimension::Function),
    counted(DELIVERIES, Dimension::Function),
    counted(FAILED_DELIVERIES, Dimension::Function),
    counted(WEBHOOKS_DISABLED, Dimension::Function),
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

/// Returns a count as the value of a log field, or `None` for zero, which is not written.
pub fn count(n: usize) -> Option<u64> {
    u64::try_from(n).ok().filter(|n| *n > 0)
}

/// Returns whether a field of an event is a metric.
pub(crate) fn is_metric(field: &str) -> bool {
    METRICS.iter().any(|metric| metric.name == field)
}

/// Adds the members from which CloudWatch reads metrics to a line: `_aws` and the dimensions. Ignores metrics
/// whose dimension is not in the line.
pub(crate) fn embed_metrics(line: &mut Map<String, Value>, namespace: &str, timestamp_ms: i64) {
    let mut directives = Vec::new();
    for dimension in Dimension::ALL {
        let Some(value) = line.get(dimension.field()).filter(|value| value.is_string()) else {
            continue;
        };
        let value = value.clone();
        let present = METRICS.iter().filter(|metric| {
            metric.dimension == dimension && line.get(metric.name).is_some_and(Value::is_number)
        });
        let present: Vec<Value> = present
            .map(|metric| json!({"Name": metric.name, "Unit": metric.unit}))
            .collect();
        if present.is_empty() {
            continue;
        }
        line.insert(dimension.name().to_owned(), value);
        directives
            .push(json!({"Namespace": namespace, "Dimensions": [[dimension.name()]], "Metrics": present}));
    }
    if !directives.is_empty() {
        let aws = json!({"Timestamp": timestamp_ms, "CloudWatchMetrics": directives});
        line.insert("_aws".to_owned(), aws);
    }
}
