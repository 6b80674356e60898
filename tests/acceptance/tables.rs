//! Lists and trends as CSV tables.

use std::collections::HashMap;

use acceptance::{Account, World};
use reqwest::Method;
use reqwest::header::ACCEPT;
use serde_json::{Value, json};

use crate::contract::{Endpoint, Fixture, RequestInput};

type Row = HashMap<String, String>;

/// Returns the table of a request, by the parameter `format`.
pub(crate) async fn table(world: &World, account: &Account, path: &str) -> Vec<Row> {
    let separator = if path.contains('?') { '&' } else { '?' };
    let path = format!("{path}{separator}format=csv");
    world.get(account, &path).await.table()
}

/// Returns the columns of an endpoint's table.
pub(crate) fn columns(path: &str) -> &'static [&'static str] {
    let endpoint = openapi::endpoints::all()
        .find(|endpoint| endpoint.method == api::Method::Get && endpoint.path == path);
    endpoint.unwrap().columns
}

/// Returns the text that a JSON value has in a cell.
pub(crate) fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(text).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

/// Returns the JSON value that a column shows.
fn value(row: &Value, column: &str) -> Value {
    let pointer = format!("/{}", column.replace('.', "/"));
    if let Some(found) = row.pointer(&pointer) {
        return found.clone();
    }
    for (end, index) in [("Low", 0), ("High", 1)] {
        if let Some(ends) = pointer
            .strip_suffix(end)
            .and_then(|interval| row.pointer(interval))
        {
            return ends[index].clone();
        }
    }
    for (end, _) in pointer.match_indices('/').skip(1) {
        let (list, field) = (&pointer[..end], &pointer[end + 1..]);
        if let Some(Value::Array(list)) = row.pointer(list) {
            return list
                .iter()
                .map(|one| value(one, &field.replace('/', ".")))
                .collect();
        }
    }
    Value::Null
}

/// Asserts that a table has the rows of a JSON response, in their order.
pub(crate) fn assert_same_rows(path: &str, table: &[Row], rows: &[Value]) {
    assert_eq!(table.len(), rows.len(), "{path}");
    for (found, row) in table.iter().zip(rows) {
        for column in columns(path) {
            let mut expected = text(&value(row, column));
            if expected.starts_with(['=', '+', '-', '@', '\t']) && !value(row, column).is_number() {
                expected.insert(0, '\'');
            }
            assert_eq!(found[*column], expected, "{path} {column} {row}");
        }
        assert_eq!(found.len(), columns(path).len());
    }
}

/// Returns the rows that the table of a citation trend has for a JSON response.
pub(crate) fn rows_of_citation_trend(trend: &Value) -> Vec<Value> {
    let domains: Vec<&Value> = trend["entities"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["domain"])
        .collect();
    let mut rows = Vec::new();
    for day in trend["data"].as_array().unwrap() {
        let counts = day.as_object().unwrap().iter().filter(|(name, _)| *name != "day");
        for ((_, count), domain) in counts.zip(&domains) {
            rows.push(json!({"date": day["day"], "domain": domain, "count": count}));
        }
    }
    rows
}

/// Returns the rows that the table of a comparison has for a JSON response.
pub(crate) fn rows_of_comparison(comparison: &Value) -> Vec<Value> {
    let data = &comparison["data"];
    let figures = [
        ("visibility", data, ["mentions", "responses", "score"]),
        (
            "shareOfVoice",
            &data["shareOfVoice"],
            ["mentions", "totalMentions", "shareOfVoice"],
        ),
        (
            "citations",
            &data["citations"],
            ["ownCitations", "totalCitations", "share"],
        ),
    ];
    let slices = [
        ("model", "byModel", "modelId", ""),
        ("prompt", "byPrompt", "promptId", "prompt"),
        ("tag", "byTag", "tagId", ""),
    ];
    let mut rows = Vec::new();
    for (metric, figure, [count, total, rate]) in figures {
        let mut add = |slice: &str, id: &Value, name: &Value, compared: &Value| {
            let mut row = json!({"metric": metric, "slice": slice, "id": id, "name": name});
            for window in ["window", "base"] {
                for (field, of) in [("Count", count), ("Total", total), ("Rate", rate)] {
                    row[format!("{window}{field}")] = compared[window][of].clone();
                }
            }
            for window in ["window", "base"] {
                row[format!("{window}Interval")] = compared[window]["interval"].clone();
            }
            for field in ["change", "changeInterval", "pValue", "verdict", "reason"] {
                row[field] = compared[field].clone();
            }
            rows.push(row);
        };
        if figure.is_null() {
            continue;
        }
        add("all", &Value::Null, &Value::Null, &figure["comparison"]);
        for (slice, field, id, name) in slices {
            for one in figure[field].as_array().unwrap() {
                add(slice, &one[id], &one[name], one);
            }
        }
        if metric == "visibility" && !data["withoutChangedModels"].is_null() {
            add(
                "withoutChangedModels",
                &Value::Null,
                &Value::Null,
                &data["withoutChangedModels"],
            );
        }
        for rival in figure["byRival"].as_array().into_iter().flatten() {
            add("rival", &rival["entityUuid"], &rival["name"], rival);
        }
    }
    rows
}

/// Returns the rows that the table of a board has for a JSON response.
fn rows_of_board(board: &Value) -> Vec<Value> {
    let mut rows = Vec::new();
    for (kind, list) in [("actionable", "actionables"), ("task", "tasks")] {
        for one in board["data"][list].as_array().unwrap() {
            let mut row = one.clone();
            row["kind"] = kind.into();
            rows.push(row);
        }
    }
    rows
}

/// Returns the contract cases of the endpoints that have a table.
fn cases() -> Vec<&'static Endpoint> {
    let all = crate::contract::ALL.iter().copied().flatten();
    all.filter(|case| case.is_read() && !columns(case.path()).is_empty())
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_table_has_the_rows_of_the_json_response() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    for case in cases() {
        let mut asked = (case.request)(&fixture);
        // All rows on one page.
        asked.query.retain(|(name, _)| {
            ![
                "format",
                "limit",
                "offset",
                "startDate",
                "endDate",
                "models",
                "promptIds",
                "tags",
            ]
            .contains(&name.as_str())
        });
        let path = format!("{}{}", case.path(), asked.encoded());
        let json = world.get(&fixture.account, &path).await.ok();
        let rows = match case.path() {
            "/trends/citations" => rows_of_citation_trend(&json),
            "/trends/compare" => rows_of_comparison(&json),
            "/entities/actions" => rows_of_board(&json),
            _ => json["data"].as_array().unwrap().clone(),
        };
        assert_same_rows(case.path(), &table(&world, &fixture.account, &path).await, &rows);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_accept_header_chooses_a_table_and_errors_are_json() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let ask = async |path: &str, accept: &str| {
        let request = world.request(Method::GET, path).bearer_auth(&fixture.account.key);
        World::execute(request.header(ACCEPT, accept)).await
    };
    let table = ask("/entities", "text/csv").await.table();
    assert_eq!(table.len(), 2);
    assert_eq!(
        ask("/entities", "application/json, text/csv").await.ok()["count"],
        2
    );
    assert_eq!(ask("/entities?format=json", "text/csv").await.ok()["count"], 2);
    // An endpoint without a table answers in JSON.
    ask("/workspace?format=csv", "text/csv").await.ok();
    assert_eq!(
        ask("/entities?format=xml", "*/*").await.error(400),
        "format must be json or csv"
    );
    assert_eq!(
        ask("/entities?format=csv&format=csv", "*/*").await.error(400),
        "format must be given only once"
    );
    assert_eq!(
        ask("/entities/prompts", "text/csv").await.error(400),
        "entityId is required"
    );
    let other = world.account().await;
    let path = format!("/trends/visibility?entityId={}&format=csv", fixture.entity);
    assert_eq!(world.get(&other, &path).await.error(404), "Entity not found");
    let nobody = world.send(None, Method::GET, &path, None).await;
    assert_eq!(nobody.error(401), "Missing API key");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_has_all_rows_without_a_limit_and_as_many_as_a_limit_says() {
    let world = World::start().await;
    let account = world.account().await;
    let questions: Vec<String> = (1..=30)
        .map(|number| format!("Which tool is number {number}?"))
        .collect();
    let questions: Vec<&str> = questions.iter().map(String::as_str).collect();
    let quiet = json!({"startTracking": false});
    let entity = world
        .entity(&account, "Acme", "acme.com", &questions, quiet)
        .await;
    crate::analytics::recorded_checks::record_answered_check(&world, &account, &entity).await;
    let path = format!("/responses?entityId={entity}");
    let page = world.get(&account, &path).await.ok();
    let total = usize::try_from(page["pagination"]["total"].as_u64().unwrap()).unwrap();
    assert!(total >= 30 && page["data"].as_array().unwrap().len() == 20);
    let all = table(&world, &account, &path).await;
    assert_eq!(all.len(), total);
    let some = table(&world, &account, &format!("{path}&limit=25&offset=3")).await;
    assert_eq!(some, all[3..28]);
    assert_eq!(table(&world, &account, &format!("{path}&limit=200")).await, all);
    let refused = world.get(&account, &format!("{path}&limit=200")).await;
    assert_eq!(refused.error(400), "limit must be a whole number from 1 to 100");
    let refused = world
        .get(&account, &format!("{path}&limit=50001&format=csv"))
        .await;
    assert_eq!(refused.error(400), "limit must be a whole number from 1 to 50000");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_name_is_a_formula_of_a_spreadsheet() {
    let world = World::start().await;
    let account = world.account().await;
    let name = "=HYPERLINK(\"https://evil.example\", \"1,2\")";
    let tag = world.post(&account, "/tags", &json!({"name": name})).await.ok();
    assert_eq!(tag["data"]["name"], name);
    let tags = table(&world, &account, "/tags").await;
    assert_eq!(tags[0]["name"], format!("'{name}"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_that_is_bound_to_an_entity_gets_only_its_rows() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let scope = domain::key_scope::KeyScope {
        access: domain::key_scope::KeyAccess::Read,
        entities: Some([fixture.entity.parse().unwrap()].into()),
    };
    let bound = world.account_with_scope(&fixture.account, scope).await;
    for case in cases() {
        let RequestInput { mut query, .. } = (case.request)(&fixture);
        query.retain(|(name, _)| name != "format");
        query.push(("format".to_owned(), "csv".to_owned()));
        let asked = RequestInput { query, body: None };
        let answer = case.send(&world, Some(&bound.key), &asked).await;
        if answer.status == 200 {
            assert!(!answer.text.contains(&fixture.other), "{}", case.route);
        } else {
            assert!([403, 404].contains(&answer.status), "{}", case.route);
        }
    }
    assert_eq!(table(&world, &bound, "/entities").await.len(), 1);
}
