//! `GET /entities/competitors`: the mentioned brands and their share of voice.

use domain::brand::uuid_of_domain;
use serde_json::{Value, json};

use super::TrackedEntity;
use super::scripted_answers::{ScriptedAnswer, before_check};

const ANSWERS: &[ScriptedAnswer] = &[
    ScriptedAnswer {
        prompt: "one?",
        text: "Acme and Rival, and Acme again.",
        citations: &[
            "https://acme.com/1",
            "https://blog.acme.com/2",
            "https://shop.rival.co.uk/1",
        ],
        queries: &[],
        refused: false,
        truncated: false,
    },
    ScriptedAnswer {
        prompt: "two?",
        text: "Take Rival before Jane Doe.",
        citations: &[
            "https://news.example/1",
            "https://news.example/2",
            "https://ally.example",
        ],
        queries: &[],
        refused: false,
        truncated: false,
    },
    ScriptedAnswer {
        prompt: "three?",
        text: "I would take Ally.",
        citations: &[],
        queries: &[],
        refused: false,
        truncated: false,
    },
];

/// Runs a check that knows Acme, Rival, Ally, Idle and Jane Doe, and returns the ids of Ally and Rival.
async fn answered() -> (TrackedEntity, String, String) {
    let tracked = before_check(1, ANSWERS).await;
    let (world, account) = (&tracked.world, &tracked.account);
    let quiet = json!({"startTracking": false});
    let rival = world
        .entity(account, "Rival", "rival.co.uk", &[], quiet.clone())
        .await;
    let ally = world
        .entity(account, "Ally", "ally.example", &[], quiet.clone())
        .await;
    world
        .entity(account, "Idle Nobody", "idle.example", &[], quiet)
        .await;
    let person = json!({"domain": null, "trackingType": "individual", "startTracking": false});
    world.entity(account, "Jane Doe", "", &[], person).await;
    tracked.run_check().await;
    (tracked, ally, rival)
}

/// Returns name, domain, mentions, citations, share and the own-brand flag of each row.
async fn rows(tracked: &TrackedEntity, more: &str) -> Vec<Value> {
    let listed = tracked.ask("/entities/competitors", more).await;
    let rows = listed["data"].as_array().unwrap();
    let row = |row: &Value| {
        json!([
            row["rank"],
            row["name"],
            row["domain"],
            row["mentions"],
            row["totalCitations"],
            row["shareOfVoice"],
            row["isCurrentEntity"]
        ])
    };
    rows.iter().map(row).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn brands_are_counted_once_per_answer_and_share_all_mentions() {
    let (tracked, ally, rival) = answered().await;
    // There are five mentions. A brand that is not named has no row, and a person has no domain.
    let expected = [
        json!([1, "Rival", "rival.co.uk", 2, 1, 40.0, false]),
        json!([2, "Acme", "acme.com", 1, 2, 20.0, true]),
        json!([3, "Ally", "ally.example", 1, 1, 20.0, false]),
        json!([4, "Jane Doe", null, 1, 0, 20.0, false]),
    ];
    assert_eq!(rows(&tracked, "").await, expected);
    assert_eq!(rows(&tracked, "limit=2&offset=1").await, expected[1..3]);
    let listed = tracked.ask("/entities/competitors", "").await;
    let ids: Vec<&Value> = listed["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| &row["entityId"])
        .collect();
    assert_eq!(
        (ids[0], ids[1], ids[2]),
        (&json!(rival), &json!(tracked.entity), &json!(ally))
    );
    assert_eq!((listed["pagination"]["total"].as_u64(), ids.len()), (Some(4), 4));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_site_that_is_only_cited_is_in_the_citations_whose_uuids_groups_take() {
    let (tracked, _, _) = answered().await;
    let (world, account) = (&tracked.world, &tracked.account);
    let listed = tracked.ask("/entities/citations", "").await;
    let cited = listed["data"].as_array().unwrap().iter();
    let news = cited.clone().find(|row| row["domain"] == "news.example").unwrap();
    assert_eq!(news["totalCitations"], 2);
    assert_eq!(news["entityUuid"], uuid_of_domain("news.example").to_string());
    let named = rows(&tracked, "").await;
    assert!(named.iter().all(|row| row[1] != "news.example"), "{named:?}");
    // A brand that is tracked and cited but not named by these answers is no rival in them.
    let prompts = tracked.prompt_ids().await;
    let expected = [
        json!([1, "Jane Doe", null, 1, 0, 50.0, false]),
        json!([2, "Rival", "rival.co.uk", 1, 0, 50.0, false]),
        json!([3, "Acme", "acme.com", 0, 0, 0.0, true]),
    ];
    assert_eq!(
        rows(&tracked, &format!("promptIds={}", prompts[1])).await,
        expected
    );

    // Every row can be the member of a group.
    let uuids: Vec<&Value> = cited.map(|row| &row["entityUuid"]).collect();
    let body = json!({"primaryEntity": tracked.entity, "entities": [tracked.entity, news["entityUuid"]]});
    let group = world.post(account, "/domain-groups", &body).await.ok();
    let group = group["data"]["id"].as_str().unwrap();
    let merged = tracked.ask("/entities/citations", "").await;
    assert_eq!(
        (&merged["data"][0]["name"], &merged["data"][0]["totalCitations"]),
        (&json!("Acme"), &json!(4))
    );
    let path = format!("/domain-groups?groupId={group}");
    world
        .send(Some(account), reqwest::Method::DELETE, &path, None)
        .await
        .ok();
    let body = json!({"primaryEntity": uuids[0], "entities": uuids});
    let group = world.post(account, "/domain-groups", &body).await.ok();
    assert_eq!(group["data"]["entities"].as_array().unwrap().len(), uuids.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_own_row_is_always_there() {
    let (tracked, _, _) = answered().await;
    let prompts = tracked.prompt_ids().await;
    let third = format!("promptIds={}", prompts[2]);
    let expected = [
        json!([1, "Ally", "ally.example", 1, 0, 100.0, false]),
        json!([2, "Acme", "acme.com", 0, 0, 0.0, true]),
    ];
    assert_eq!(rows(&tracked, &third).await, expected);
    // It has its place on the pages, and counts among the rows.
    assert_eq!(rows(&tracked, &format!("{third}&limit=1")).await, expected[..1]);
    assert_eq!(
        rows(&tracked, &format!("{third}&limit=1&offset=1")).await,
        expected[1..]
    );
    // Without an answer there is neither a rank nor a share.
    let nothing = [json!([null, "Acme", "acme.com", 0, 0, null, true])];
    for range in ["promptIds=unknown", "startDate=2025-12-01&endDate=2025-12-02"] {
        assert_eq!(rows(&tracked, range).await, nothing, "{range}");
        let listed = tracked.ask("/entities/competitors", range).await;
        let row = &listed["data"][0];
        assert_eq!(
            (&row["interval"], &row["mentionsOfAllBrands"]),
            (&Value::Null, &json!(0))
        );
        // There are rivals, but no mention.
        assert_eq!(row["shareOfVoiceReason"], Value::Null);
        assert_eq!(listed["pagination"]["total"], 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_members_of_its_group_are_in_the_own_row() {
    let (tracked, ally, _) = answered().await;
    let body = json!({"primaryEntity": ally, "entities": [tracked.entity, ally]});
    tracked
        .world
        .post(&tracked.account, "/domain-groups", &body)
        .await
        .ok();
    let expected = [
        json!([1, "Ally", "ally.example", 2, 3, 40.0, true]),
        json!([2, "Rival", "rival.co.uk", 2, 1, 40.0, false]),
        json!([3, "Jane Doe", null, 1, 0, 20.0, false]),
    ];
    assert_eq!(rows(&tracked, "").await, expected);
    assert_eq!(rows(&tracked, "union=false").await, expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_that_names_two_members_is_one_mention_of_the_group() {
    let (tracked, _, rival) = answered().await;
    let body = json!({"primaryEntity": tracked.entity, "entities": [tracked.entity, rival]});
    tracked
        .world
        .post(&tracked.account, "/domain-groups", &body)
        .await
        .ok();
    let expected = [
        json!([1, "Acme", "acme.com", 2, 3, 50.0, true]),
        json!([2, "Ally", "ally.example", 1, 1, 25.0, false]),
        json!([3, "Jane Doe", null, 1, 0, 25.0, false]),
    ];
    assert_eq!(rows(&tracked, "").await, expected);
}
