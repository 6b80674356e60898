//! The measured requests and their budgets.

use serde_json::{Value, json};

use super::table::Table;

/// A request that the benchmark measures.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BenchRequest {
    pub(crate) name: &'static str,
    pub(crate) path: &'static str,
    /// The query without the entity and the range.
    pub(crate) query: &'static str,
    /// The budget of read units for segments and index, at workload M and 30 days.
    pub(crate) units_budget: Option<f64>,
    /// The budgets of instructions at workload M and 30 days, in millions.
    pub(crate) instructions_budget: InstructionsBudget,
}

/// The budgets of a request to an instance that has no segment in memory, and of a repeated one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct InstructionsBudget {
    pub(crate) cold: f64,
    pub(crate) warm: f64,
}

const fn request(
    name: &'static str,
    path: &'static str,
    query: &'static str,
    units_budget: Option<f64>,
    cold: f64,
    warm: f64,
) -> BenchRequest {
    BenchRequest {
        name,
        path,
        query,
        units_budget,
        instructions_budget: InstructionsBudget { cold, warm },
    }
}

pub(crate) const CITATIONS: BenchRequest = request(
    "cited domains",
    "/entities/citations",
    "",
    Some(60.0),
    105.0,
    28.0,
);

pub(crate) const ALL: [BenchRequest; 11] = [
    request("visibility", "/trends/visibility", "", Some(5.0), 13.0, 7.5),
    // Without `--days 60`, the base has no answers.
    request(
        "comparison",
        "/trends/compare",
        "metrics=visibility",
        Some(10.0),
        30.0,
        25.0,
    ),
    CITATIONS,
    request("citation trend", "/trends/citations", "", Some(60.0), 110.0, 28.0),
    request(
        "URLs of the most cited domain",
        "/entities/citations/details",
        "citedEntityUuid=",
        Some(60.0),
        72.0,
        28.0,
    ),
    request(
        "prompts with stats",
        "/entities/prompts",
        "",
        Some(70.0),
        54.0,
        27.0,
    ),
    request(
        "prompts with stats, page of 20",
        "/entities/prompts",
        "limit=20",
        Some(70.0),
        52.0,
        25.0,
    ),
    request("query fanouts", "/query-fanouts", "", Some(160.0), 295.0, 85.0),
    request(
        "query fanouts, searched",
        "/query-fanouts",
        "search=",
        Some(160.0),
        295.0,
        88.0,
    ),
    request("competitors", "/entities/competitors", "", None, 127.0, 42.0),
    request("responses", "/responses", "", Some(30.0), 68.0, 47.0),
];

/// Returns a filter for two models and every fifth prompt, but at most 40 prompts.
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
            let entity = table.entity.id;
            domain::id::PromptId {
                entity,
                ordinal: ordinal.into(),
            }
            .to_string()
        })
        .collect();
    format!("models={}&promptIds={}", models.join(","), prompts.join(","))
}

/// Returns the query of a request about the last `days`. `filter` may be empty. `cited` is the UUID of the
/// most cited domain.
pub(crate) fn query(request: &BenchRequest, table: &Table, days: i32, filter: &str, cited: &str) -> String {
    let today = table.today();
    let mut query = format!(
        "entityId={}&startDate={}&endDate={today}",
        table.entity.id,
        today.plus_days(1 - days)
    );
    for part in [request.query, filter] {
        if !part.is_empty() {
            query.push('&');
            query.push_str(part);
            match part {
                "citedEntityUuid=" => query.push_str(cited),
                "search=" => query.push_str(&table.market.frequent_word()),
                _ => {}
            }
        }
    }
    query
}

/// Returns an API Gateway event of payload format 2.0.
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
