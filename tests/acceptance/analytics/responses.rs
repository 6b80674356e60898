//! `GET /responses` and `GET /responses/details`

use domain::brand::uuid_of_domain;
use serde_json::{Value, json};

use super::TrackedEntity;
use super::scripted_answers::{ScriptedAnswer, before_check};

async fn rows(tracked: &TrackedEntity, more: &str) -> Vec<Value> {
    let listed = tracked.ask("/responses", more).await;
    listed["data"].as_array().unwrap().clone()
}

/// Returns the only row of the prompt with this text.
async fn of_prompt(tracked: &TrackedEntity, prompt: &str) -> Value {
    let mut rows = rows(tracked, "").await;
    rows.retain(|row| row["prompt"] == prompt);
    assert_eq!(rows.len(), 1);
    rows.remove(0)
}

async fn details(tracked: &TrackedEntity, row: &Value) -> Value {
    let path = format!(
        "/responses/details?responseId={}",
        row["responseId"].as_str().unwrap()
    );
    let found = tracked.world.get(&tracked.account, &path).await.ok();
    found["data"].clone()
}

const ANSWERS: &[ScriptedAnswer] = &[
    ScriptedAnswer {
        prompt: "plain?",
        text: "Rival leads. Ünlike it, Acme is cheap, says Rival.",
        citations: &[
            "https://www.news.example/a/",
            "https://acme.com/?utm_source=openai",
            "http://news.example/a",
        ],
        queries: &["best crm", "Best CRM"],
        refused: false,
        truncated: false,
    },
    ScriptedAnswer {
        prompt: "cut?",
        text: "Nobody is",
        citations: &[],
        queries: &[],
        refused: false,
        truncated: true,
    },
    ScriptedAnswer {
        prompt: "refused?",
        text: "I shall not name Acme.",
        citations: &["https://acme.com/"],
        queries: &["acme"],
        refused: true,
        truncated: false,
    },
];

/// Runs a check that knows Acme and Rival, and returns the id of Rival.
async fn answered() -> (TrackedEntity, String) {
    let tracked = before_check(1, ANSWERS).await;
    let quiet = json!({"startTracking": false});
    let rival = tracked
        .world
        .entity(&tracked.account, "Rival", "rival.co.uk", &[], quiet)
        .await;
    tracked.run_check().await;
    (tracked, rival)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_row_says_what_became_of_the_question() {
    let (tracked, _) = answered().await;
    let model = tracked.world.model(&tracked.account).await;
    let prompts = tracked.prompt_ids().await;
    for (prompt, id, expected) in [
        (
            "plain?",
            &prompts[0],
            json!(["answered", true, false, true, 2, 2, 2]),
        ),
        (
            "cut?",
            &prompts[1],
            json!(["answered", false, true, false, null, 0, 0]),
        ),
        // The text, citations and searches of a refusal do not count.
        (
            "refused?",
            &prompts[2],
            json!(["refused", true, false, false, null, 0, 0]),
        ),
    ] {
        let row = of_prompt(&tracked, prompt).await;
        let fields = [
            "state",
            "searched",
            "truncated",
            "isMentioned",
            "mentionPosition",
            "citationsCount",
            "queryFanoutsCount",
        ];
        let found: Vec<Value> = fields.iter().map(|field| row[*field].clone()).collect();
        assert_eq!(json!(found), expected, "{prompt}");
        assert_eq!((&row["promptId"], &row["modelId"]), (&json!(id), &json!(model)));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn details_are_the_answer_with_its_mentions_citations_and_searches() {
    let (tracked, rival) = answered().await;
    let row = of_prompt(&tracked, "plain?").await;
    let found = details(&tracked, &row).await;
    let text = ANSWERS[0].text;
    let expected = json!({
        "responseId": row["responseId"], "responseText": text, "responseLength": 50, "narration": [],
        "createdAt": row["createdAt"], "modelId": row["modelId"], "modelVersion": "test-2026-01-01",
        "state": "answered", "reason": null, "truncated": false,
        "isMentioned": true, "mentionPosition": 2, "totalOptionsInList": 2,
    });
    assert_eq!(text.chars().count(), 50);
    assert_eq!(found["response"], expected);
    let mention = |entity: &str, name: &str, domain: &str, position: u64, is_own: bool| {
        json!({"entityUuid": uuid_of_domain(domain).to_string(), "entityId": entity, "entityName": name,
            "entityDomain": domain, "position": position, "isCurrentEntity": is_own})
    };
    let mentions = [
        mention(&rival, "Rival", "rival.co.uk", 1, false),
        mention(&tracked.entity, "Acme", "acme.com", 2, true),
    ];
    assert_eq!(found["mentions"], json!(mentions));
    // Each page is listed once, with the title of its first citation.
    let citation = |url: &str, title: &str, domain: &str| json!({"url": url, "title": title, "entityUuid": uuid_of_domain(domain).to_string(), "kind": "reported"});
    let citations = [
        citation("https://news.example/a", ANSWERS[0].citations[0], "news.example"),
        citation("https://acme.com", ANSWERS[0].citations[1], "acme.com"),
    ];
    assert_eq!(found["citations"], json!(citations));
    assert_eq!(
        found["queryFanouts"],
        json!([
            {"query": "best crm", "createdAt": row["createdAt"]},
            {"query": "Best CRM", "createdAt": row["createdAt"]},
        ])
    );
    let prompt = json!({"id": row["promptId"], "text": "plain?", "language": "en", "geolocation": "global"});
    assert_eq!(found["prompt"], prompt);
    let summary = json!({"mentionsCount": 2, "citationsCount": 2, "queryFanoutsCount": 2,
        "unresolvedCitations": 0, "citationsTruncated": false});
    assert_eq!(found["summary"], summary);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn details_say_why_a_name_that_occurs_does_not_count() {
    let answer = ScriptedAnswer {
        prompt: "found?",
        text: "I found no information about Acme. Rival leads, says [acme.com](https://acme.com/).",
        ..ANSWERS[1]
    };
    let tracked = before_check(1, &[answer]).await;
    tracked.run_check().await;
    let found = details(&tracked, &of_prompt(&tracked, "found?").await).await;
    let expected = json!([{"entityUuid": uuid_of_domain("acme.com").to_string(), "entityId": tracked.entity,
        "entityName": "Acme", "reason": "nothing_found"}]);
    assert_eq!(found["notMentioned"], expected);
    assert_eq!(found["response"]["isMentioned"], false);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn details_of_a_refusal_show_its_text_and_count_nothing() {
    let (tracked, _) = answered().await;
    let row = of_prompt(&tracked, "refused?").await;
    let found = details(&tracked, &row).await;
    let response = &found["response"];
    assert_eq!(
        (&response["state"], &response["responseText"]),
        (&json!("refused"), &json!(ANSWERS[2].text))
    );
    let mentioned = (
        &response["isMentioned"],
        &response["mentionPosition"],
        &response["totalOptionsInList"],
    );
    assert_eq!(mentioned, (&json!(false), &json!(null), &json!(0)));
    for list in ["mentions", "citations", "queryFanouts"] {
        assert_eq!(found[list], json!([]), "{list}");
    }
    let summary = json!({"mentionsCount": 0, "citationsCount": 0, "queryFanoutsCount": 0,
        "unresolvedCitations": 0, "citationsTruncated": false});
    assert_eq!(found["summary"], summary);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deleted_prompts_answers_keep_its_text() {
    let (tracked, _) = answered().await;
    let path = format!("/entities/prompts?promptId={}", tracked.prompt_ids().await[0]);
    let delete = reqwest::Method::DELETE;
    tracked
        .world
        .send(Some(&tracked.account), delete, &path, None)
        .await
        .ok();
    let row = of_prompt(&tracked, "plain?").await;
    assert_eq!(
        details(&tracked, &row).await["response"]["responseText"],
        ANSWERS[0].text
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_that_was_not_asked_for_is_not_found() {
    let (tracked, _) = answered().await;
    let known = of_prompt(&tracked, "plain?").await["responseId"]
        .as_str()
        .unwrap()
        .to_owned();
    let (front, _) = known.rsplit_once('-').unwrap();
    for unknown in [
        format!("{front}-7"),
        format!("{known}0"),
        front.to_owned(),
        known.to_uppercase(),
    ] {
        let path = format!("/responses/details?responseId={unknown}");
        let error = tracked.world.get(&tracked.account, &path).await.error(404);
        assert_eq!(error, "Response not found", "{unknown}");
    }
}
