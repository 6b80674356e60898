//! `GET /query-fanouts`: how web searches are grouped, displayed and dated.

use domain::time::Timestamp;
use serde_json::{Value, json};

use super::TrackedEntity;
use super::scripted_answers::{ScriptedAnswer, after_check, after_check_by};

/// Returns the query, frequency and number of answers of each row.
async fn rows(tracked: &TrackedEntity, more: &str) -> Vec<Value> {
    let listed = tracked.ask("/query-fanouts", more).await;
    let rows = listed["data"].as_array().unwrap();
    let row = |row: &Value| json!([row["query"], row["frequency"], row["uniqueResponses"]]);
    rows.iter().map(row).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn spellings_are_one_query_under_the_most_frequent_of_them() {
    let tracked = after_check(&[
        ScriptedAnswer {
            prompt: "one?",
            queries: &["Best CRM", "best crm", "  best   CRM ", "best CRM", "crab 🦀"],
            ..ScriptedAnswer::default()
        },
        ScriptedAnswer {
            prompt: "two?",
            queries: &["BEST CRM", "Straße", "STRASSE", "naïve", "naive"],
            ..ScriptedAnswer::default()
        },
        ScriptedAnswer {
            prompt: "refused?",
            queries: &["best crm", "never counted"],
            refused: true,
            ..ScriptedAnswer::default()
        },
    ])
    .await;
    let expected = [
        json!(["best CRM", 5, 2]),
        // Two spellings, once each in one answer: the first one is shown.
        json!(["Straße", 2, 1]),
        json!(["crab 🦀", 1, 1]),
        json!(["naive", 1, 1]),
        json!(["naïve", 1, 1]),
    ];
    assert_eq!(rows(&tracked, "").await, expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_finds_any_part_of_a_query_whatever_its_case() {
    let tracked = after_check(&[ScriptedAnswer {
        prompt: "one?",
        queries: &[
            "Best CRM 2026",
            "best crm 2026",
            "best ERP",
            "Straße der CRMs",
            "🦀 crab",
            "100% free",
        ],
        ..ScriptedAnswer::default()
    }])
    .await;
    for (search, expected) in [
        ("CRM", vec!["Best CRM 2026", "Straße der CRMs"]),
        ("%20crm%20%20", vec!["Best CRM 2026", "Straße der CRMs"]),
        ("BEST", vec!["Best CRM 2026", "best ERP"]),
        ("STRASSE", vec!["Straße der CRMs"]),
        ("%F0%9F%A6%80", vec!["🦀 crab"]),
        ("0%25", vec!["100% free"]),
        (".*", vec![]),
        (
            "",
            vec![
                "Best CRM 2026",
                "100% free",
                "best ERP",
                "Straße der CRMs",
                "🦀 crab",
            ],
        ),
    ] {
        let found = rows(&tracked, &format!("search={search}")).await;
        let found: Vec<&Value> = found.iter().map(|row| &row[0]).collect();
        assert_eq!(json!(found), json!(expected), "{search}");
    }
    let found = tracked
        .ask("/query-fanouts", "search=best&limit=1&offset=1")
        .await;
    assert_eq!(
        (&found["totalCount"], &found["totalQueries"]),
        (&json!(2), &json!(3))
    );
    let page = json!({"totalCount": 2, "totalPages": 2, "currentPage": 2, "limit": 1, "offset": 1,
        "hasNextPage": false, "hasPreviousPage": true});
    assert_eq!(found["pagination"], page);
    assert_eq!(found["data"][0]["query"], "best ERP");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_query_has_the_instant_of_its_latest_answer_and_the_models_that_ran_it() {
    let tracked = after_check_by(
        2,
        &[ScriptedAnswer {
            prompt: "one?",
            queries: &["crm"],
            ..ScriptedAnswer::default()
        }],
    )
    .await;
    tracked.advance_days(2);
    tracked.run_check().await;
    let listed = tracked.ask("/responses", "").await;
    let answers = listed["data"].as_array().unwrap();
    assert_eq!(answers.len(), 4);
    let latest = answers
        .iter()
        .map(|answer| answer["createdAt"].as_i64().unwrap())
        .max();
    let models = tracked.world.models(&tracked.account).await;
    let found = tracked.ask("/query-fanouts", "").await["data"][0].clone();
    assert_eq!(found["latestDate"], Timestamp::from_millis(latest.unwrap()).iso());
    assert_eq!(
        (&found["frequency"], &found["uniqueResponses"]),
        (&json!(4), &json!(4))
    );
    let mut ids: Vec<&str> = found["modelIds"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    let mut asked = [models[0].as_str(), models[1].as_str()];
    ids.sort_unstable();
    asked.sort_unstable();
    assert_eq!(ids, asked);

    let one = tracked
        .ask("/query-fanouts", &format!("models={}", models[1]))
        .await["data"][0]
        .clone();
    assert_eq!(
        (&one["modelIds"], &one["frequency"]),
        (&json!([models[1]]), &json!(2))
    );
}
