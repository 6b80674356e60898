//! `GET /trends/citations`: the daily counts of the most cited domains, and the names of their keys.

use serde_json::{Value, json};

use super::TrackedEntity;
use super::scripted_answers::{ScriptedAnswer, after_check, before_check};

async fn entity(tracked: &TrackedEntity, name: &str, domain: &str) -> String {
    let quiet = json!({"startTracking": false});
    tracked
        .world
        .entity(&tracked.account, name, domain, &[], quiet)
        .await
}

async fn trend(tracked: &TrackedEntity, more: &str) -> (Vec<Value>, Vec<Value>) {
    let trend = tracked.ask("/trends/citations", more).await;
    let listed = |field: &str| trend[field].as_array().unwrap().clone();
    (listed("data"), listed("entities"))
}

/// Returns the only point with a count above zero.
fn counted(points: &[Value]) -> Value {
    let has_any = |point: &&Value| {
        let fields = point.as_object().unwrap();
        fields
            .values()
            .any(|value| value.as_u64().is_some_and(|count| count > 0))
    };
    let mut points = points.iter().filter(has_any);
    let point = points.next().unwrap().clone();
    assert_eq!(points.next(), None);
    point
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_day_has_a_point_with_every_included_domain() {
    let tracked = after_check(&[ScriptedAnswer {
        prompt: "one?",
        citations: &[
            "https://a.example/1",
            "https://a.example/2",
            "https://b.example",
            "https://c.example",
        ],
        ..ScriptedAnswer::default()
    }])
    .await;
    tracked.advance_days(2);
    tracked.run_check().await;
    let (points, entities) = trend(&tracked, "period=7d&topN=2").await;
    let today = tracked.today();
    let counts = |days: i32| if days == 0 || days == -2 { (2, 1) } else { (0, 0) };
    let expected: Vec<Value> = (-6..=0)
        .map(|days| {
            let (a, b) = counts(days);
            json!({"day": today.plus_days(days).to_string(), "a.example": a, "b.example": b})
        })
        .collect();
    assert_eq!(points, expected);
    // Among equally cited domains, the first in alphabetical order is included.
    let totals: Vec<Value> = entities
        .iter()
        .map(|e| json!([e["domain"], e["totalCitations"]]))
        .collect();
    assert_eq!(totals, [json!(["a.example", 4]), json!(["b.example", 2])]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_domains_are_included_unless_another_number_is_asked_for() {
    let urls: Vec<&'static str> = (0..25)
        .map(|n| &*format!("https://site-{n:02}.example").leak())
        .collect();
    let tracked = after_check(&[ScriptedAnswer {
        prompt: "one?",
        citations: urls.leak(),
        ..ScriptedAnswer::default()
    }])
    .await;
    for (more, count) in [("", 10), ("topN=", 10), ("topN=1", 1), ("topN=20", 20)] {
        let (points, entities) = trend(&tracked, more).await;
        assert_eq!(entities.len(), count, "{more}");
        assert_eq!(points.len(), 30, "{more}");
        assert!(
            points
                .iter()
                .all(|point| point.as_object().unwrap().len() == count + 1),
            "{more}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_is_the_name_and_where_that_is_not_its_own_the_domain() {
    let tracked = before_check(
        1,
        &[ScriptedAnswer {
            prompt: "one?",
            citations: &[
                "https://acme.com",
                "https://day.io",
                "https://twin.example",
                "https://twin.test",
                "https://named.example",
                "https://free.example",
                "https://münchen.de",
            ],
            ..ScriptedAnswer::default()
        }],
    )
    .await;
    for (name, domain) in [
        ("day", "day.io"),
        ("Twin", "twin.example"),
        ("Twin", "twin.test"),
        // Its name equals another cited domain.
        ("free.example", "named.example"),
    ] {
        entity(&tracked, name, domain).await;
    }
    tracked.run_check().await;
    let (points, entities) = trend(&tracked, "").await;
    let expected = json!({
        "day": tracked.today().to_string(), "Acme": 1, "day.io": 1, "twin.example": 1, "twin.test": 1,
        "named.example": 1, "free.example": 1, "münchen.de": 1,
    });
    assert_eq!(counted(&points), expected);
    let named: Vec<Value> = entities.iter().map(|e| json!([e["domain"], e["name"]])).collect();
    let expected = [
        json!(["acme.com", "Acme"]),
        json!(["day.io", "day"]),
        json!(["free.example", "free.example"]),
        json!(["named.example", "free.example"]),
        json!(["twin.example", "Twin"]),
        json!(["twin.test", "Twin"]),
        json!(["xn--mnchen-3ya.de", "münchen.de"]),
    ];
    assert_eq!(named, expected);
    // A domain that is left out reserves no name.
    let (points, entities) = trend(&tracked, "topN=5").await;
    assert_eq!(entities.len(), 5);
    let point = counted(&points);
    assert_eq!(
        (&point["Twin"], &point["twin.example"]),
        (&json!(1), &json!(null))
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn days_rows_descriptors_and_urls_add_up_to_the_same() {
    let tracked = after_check(&[
        ScriptedAnswer {
            prompt: "one?",
            citations: &[
                "https://a.example/1",
                "https://a.example/2?gclid=1",
                "https://b.example/x",
            ],
            ..ScriptedAnswer::default()
        },
        ScriptedAnswer {
            prompt: "two?",
            citations: &[
                "https://a.example/1/",
                "https://acme.com/",
                "https://b.example/x#y",
            ],
            ..ScriptedAnswer::default()
        },
    ])
    .await;
    for wait in [1, 3] {
        tracked.advance_days(wait);
        tracked.run_check().await;
    }
    let prompt = tracked.prompt_ids().await.remove(1);
    for more in [String::new(), format!("promptIds={prompt}")] {
        let (points, entities) = trend(&tracked, &more).await;
        let listed = tracked.ask("/entities/citations", &more).await;
        let rows = listed["data"].as_array().unwrap();
        assert_eq!(rows.len(), entities.len());
        for (row, entity) in rows.iter().zip(&entities) {
            assert_eq!(
                (&row["entityUuid"], &row["totalCitations"]),
                (&entity["entityUuid"], &entity["totalCitations"])
            );
            let name = entity["name"].as_str().unwrap();
            let days: u64 = points.iter().map(|point| point[name].as_u64().unwrap()).sum();
            let more = format!("{more}&citedEntityUuid={}", row["entityUuid"].as_str().unwrap());
            let urls = tracked.ask("/entities/citations/details", &more).await;
            let urls = urls["data"].as_array().unwrap();
            let urls: u64 = urls
                .iter()
                .map(|url| url["citationCount"].as_u64().unwrap())
                .sum();
            assert_eq!(
                (json!(days), json!(urls)),
                (row["totalCitations"].clone(), row["totalCitations"].clone())
            );
        }
    }
}
