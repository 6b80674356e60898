//! Cited domains and URLs: how they are counted, grouped and ordered.

use domain::brand::uuid_of_domain;
use serde_json::{Value, json};

use super::TrackedEntity;
use super::scripted_answers::{ScriptedAnswer, after_check};
use crate::domain_groups::cited;

/// Returns the domain, name and citations of each row.
async fn rows(tracked: &TrackedEntity, more: &str) -> Vec<(String, String, u64)> {
    let listed = tracked.ask("/entities/citations", more).await;
    let rows = listed["data"].as_array().unwrap();
    for (row, rank) in rows.iter().zip(1..) {
        let uuid = uuid_of_domain(row["domain"].as_str().unwrap()).to_string();
        assert_eq!((&row["rank"], &row["entityUuid"]), (&json!(rank), &json!(uuid)));
    }
    let text = |row: &Value, field: &str| row[field].as_str().unwrap().to_owned();
    rows.iter()
        .map(|row| {
            (
                text(row, "domain"),
                text(row, "name"),
                row["totalCitations"].as_u64().unwrap(),
            )
        })
        .collect()
}

/// Returns the URLs of one domain and their counts.
async fn urls(tracked: &TrackedEntity, domain: &str, more: &str) -> Vec<(String, u64)> {
    let uuid = uuid_of_domain(domain);
    let more = format!("citedEntityUuid={uuid}&{more}");
    let listed = tracked.ask("/entities/citations/details", &more).await;
    let rows = listed["data"].as_array().unwrap();
    assert_eq!(listed["pagination"]["total"], rows.len());
    rows.iter()
        .map(|row| {
            (
                row["url"].as_str().unwrap().to_owned(),
                row["citationCount"].as_u64().unwrap(),
            )
        })
        .collect()
}

fn row(domain: &str, name: &str, count: u64) -> (String, String, u64) {
    (domain.to_owned(), name.to_owned(), count)
}

fn url(url: &str, count: u64) -> (String, u64) {
    (url.to_owned(), count)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_is_one_url_in_every_spelling_and_counts_once_per_answer() {
    let tracked = after_check(&[
        ScriptedAnswer {
            prompt: "one?",
            citations: &[
                "https://www.news.example/a/?utm_source=openai",
                "http://NEWS.example/a?gclid=1&utm_medium=x#part",
                "https://news.example:443/a/",
                "https://news.example/A",
                "https://news.example/a?page=2&utm_source=openai",
            ],
            ..ScriptedAnswer::default()
        },
        ScriptedAnswer {
            prompt: "two?",
            citations: &["https://news.example/a"],
            ..ScriptedAnswer::default()
        },
    ])
    .await;
    assert_eq!(rows(&tracked, "").await, [row("news.example", "news.example", 4)]);
    let expected = [
        url("https://news.example/a", 2),
        url("https://news.example/A", 1),
        url("https://news.example/a?page=2", 1),
    ];
    assert_eq!(urls(&tracked, "news.example", "").await, expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_domain_is_the_registrable_one_with_tenants_of_their_own() {
    let tracked = after_check(&[ScriptedAnswer {
        prompt: "one?",
        citations: &[
            "https://one.github.io/",
            "https://deep.one.github.io/x",
            "https://two.github.io",
            "https://shop.rival.co.uk/1",
            "https://rival.co.uk/2",
            "https://blog.rival.co.uk/3",
            "https://münchen.de/straße",
            "https://203.0.113.7/status",
            "https://blog.acme.com",
        ],
        ..ScriptedAnswer::default()
    }])
    .await;
    let expected = [
        row("rival.co.uk", "rival.co.uk", 3),
        row("one.github.io", "one.github.io", 2),
        row("203.0.113.7", "203.0.113.7", 1),
        // The entity itself has its name.
        row("acme.com", "Acme", 1),
        row("two.github.io", "two.github.io", 1),
        row("xn--mnchen-3ya.de", "münchen.de", 1),
    ];
    assert_eq!(rows(&tracked, "").await, expected);
    let found = urls(&tracked, "xn--mnchen-3ya.de", "").await;
    assert_eq!(found, [url("https://xn--mnchen-3ya.de/stra%C3%9Fe", 1)]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_no_web_page_is_dropped_and_a_long_url_is_kept_whole() {
    let long: &'static str = format!("https://long.example/{}", "x".repeat(3_979)).leak();
    assert_eq!(long.len(), 4_000);
    let citations = vec![
        "ftp://news.example/a",
        "mailto:me@news.example",
        "javascript:alert(1)",
        "news",
        long,
    ];
    let tracked = after_check(&[
        ScriptedAnswer {
            prompt: "one?",
            citations: citations.leak(),
            ..ScriptedAnswer::default()
        },
        ScriptedAnswer {
            prompt: "refused?",
            citations: &["https://refused.example/a"],
            refused: true,
            ..ScriptedAnswer::default()
        },
    ])
    .await;
    assert_eq!(rows(&tracked, "").await, [row("long.example", "long.example", 1)]);
    assert_eq!(urls(&tracked, "long.example", "").await, [url(long, 1)]);
    assert_eq!(urls(&tracked, "news.example", "").await, []);
    assert_eq!(urls(&tracked, "refused.example", "").await, []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_groups_row_is_the_primarys_and_lies_where_the_primarys_domain_does() {
    let tracked = after_check(&[ScriptedAnswer {
        prompt: "one?",
        citations: &[
            "https://alpha.example/1",
            "https://middle.example/1",
            "https://other.example/1",
        ],
        ..ScriptedAnswer::default()
    }])
    .await;
    let members = cited(
        &tracked.world,
        &tracked.account,
        &["zeta.example", "alpha.example", "acme.com"],
    )
    .await;
    let body = json!({"primaryEntity": members[0], "entities": members});
    tracked
        .world
        .post(&tracked.account, "/domain-groups", &body)
        .await
        .ok();
    // No answer cites the primary itself.
    let expected = [
        row("middle.example", "middle.example", 1),
        row("other.example", "other.example", 1),
        row("zeta.example", "zeta.example", 1),
    ];
    assert_eq!(rows(&tracked, "").await, expected);
    // The uuid of every member addresses the row.
    for member in ["zeta.example", "alpha.example", "acme.com"] {
        assert_eq!(
            urls(&tracked, member, "").await,
            [url("https://alpha.example/1", 1)]
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_group_under_a_person_is_shown_with_the_first_domain_that_a_member_has() {
    let tracked = after_check(&[ScriptedAnswer {
        prompt: "one?",
        citations: &["https://acme.com/1", "https://beta.example/1"],
        ..ScriptedAnswer::default()
    }])
    .await;
    let person = json!({"domain": null, "trackingType": "individual", "startTracking": false});
    let person = tracked
        .world
        .entity(&tracked.account, "Jane Doe", "", &[], person)
        .await;
    let beta = cited(&tracked.world, &tracked.account, &["zeta.example"])
        .await
        .remove(0);
    let body = json!({"primaryEntity": person, "entities": [person, beta, tracked.entity]});
    tracked
        .world
        .post(&tracked.account, "/domain-groups", &body)
        .await
        .ok();
    let listed = tracked.ask("/entities/citations", "").await;
    let shown: Vec<Value> = listed["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| json!([r["domain"], r["name"]]))
        .collect();
    assert_eq!(
        shown,
        [
            json!(["beta.example", "beta.example"]),
            json!(["zeta.example", "Jane Doe"])
        ]
    );
    let listed = tracked.ask("/entities/competitors", "").await;
    let own = listed["data"]
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row["isCurrentEntity"] == true);
    assert_eq!(own.unwrap()["domain"], "zeta.example");
}
