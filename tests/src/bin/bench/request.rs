//! What is asked, and what it may take.

use domain::time::Day;
use serde_json::{Value, json};

use super::table::Table;

/// An endpoint as the benchmark asks it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BenchRequest {
    pub(crate) name: &'static str,
    pub(crate) path: &'static str,
    /// More of the query than the entity and the range.
    pub(crate) query: &'static str,
    /// Read units of segments and index at workload M, 30 days.
    pub(crate) units: Option<f64>,
    /// CPU of a first request at S, M and L, in milliseconds; of one more a fifth.
    pub(crate) cpu: Option<[f64; 3]>,
}

const COUNTED: Option<[f64; 3]> = Some([1.0, 6.0, 20.0]);
const SEARCHED: Option<[f64; 3]> = Some([3.0, 20.0, 100.0]);

const fn question(
    name: &'static str,
    (path, query): (&'static str, &'static str),
    units: Option<f64>,
    cpu: Option<[f64; 3]>,
) -> BenchRequest {
    BenchRequest {
        name,
        path,
        query,
        units,
        cpu,
    }
}

pub(crate) const VISIBILITY: BenchRequest = question(
    "visibility",
    ("/trends/visibility", ""),
    Some(5.0),
    Some([0.3, 0.6, 2.0]),
);
pub(crate) const CITATIONS: BenchRequest =
    question("cited domains", ("/entities/citations", ""), Some(60.0), COUNTED);

pub(crate) const ALL: [BenchRequest; 9] = [
    VISIBILITY,
    CITATIONS,
    question("citation trend", ("/trends/citations", ""), Some(60.0), COUNTED),
    question(
        "URLs of the most cited domain",
        ("/entities/citations/details", "citedEntityUuid="),
        Some(60.0),
        COUNTED,
    ),
    question(
        "prompts with stats",
        ("/entities/prompts", ""),
        Some(70.0),
        COUNTED,
    ),
    question("query fanouts", ("/query-fanouts", ""), Some(160.0), SEARCHED),
    question(
        "query fanouts, searched",
        ("/query-fanouts", "search=market"),
        Some(160.0),
        SEARCHED,
    ),
    question("competitors", ("/entities/competitors", ""), None, None),
    question("responses", ("/responses", ""), Some(30.0), None),
];

/// Two models and every fifth prompt, at most 40 of them.
pub(crate) fn filter(table: &Table, prompts: u32) -> String {
    let models: Vec<String> = table
        .entity
        .model_ordinals
        .iter()
        .take(2)
        .map(ToString::to_string)
        .collect();
    let prompts: Vec<String> = (1..=prompts)
        .step_by(5)
        .take(40)
        .map(|ordinal| {
            let entity = table.entity.id.clone();
            domain::id::PromptId {
                entity,
                ordinal: ordinal.into(),
            }
            .to_string()
        })
        .collect();
    format!("models={}&promptIds={}", models.join(","), prompts.join(","))
}

/// The query of a question about the last days.
pub(crate) fn query(
    question: &BenchRequest,
    table: &Table,
    (today, days): (Day, i32),
    more: &str,
    cited: &str,
) -> String {
    let mut query = format!(
        "entityId={}&startDate={}&endDate={today}",
        table.entity.id,
        today.plus_days(1 - days)
    );
    for part in [question.query, more] {
        if !part.is_empty() {
            query.push('&');
            query.push_str(part);
            if part == "citedEntityUuid=" {
                query.push_str(cited);
            }
        }
    }
    query
}

/// An API Gateway event of payload format 2.0.
pub(crate) fn event(key: &str, path: &str, query: &str) -> Value {
    let path = format!("{}{path}", api::BASE_PATH);
    json!({
        "version": "2.0", "routeKey": format!("ANY {path}"), "rawPath": path, "rawQueryString": query,
        "headers": {"authorization": format!("Bearer {key}"), "host": "api.example.com"},
        "requestContext": {
            "accountId": "000000000000", "apiId": "a", "domainName": "api.example.com", "domainPrefix": "api",
            "http": {"method": "GET", "path": path, "protocol": "HTTP/1.1", "sourceIp": "127.0.0.1",
                     "userAgent": "benchmark"},
            "requestId": "r", "routeKey": format!("ANY {path}"), "stage": "$default",
            "time": "10/Mar/2026:12:00:00 +0000", "timeEpoch": 1_773_144_000_000_i64,
        },
        "isBase64Encoded": false,
    })
}
