//! What checks put on the board, through the whole service.

use serde_json::{Value, json};

use super::script::{Scripted, Told, names};
use crate::analytics::Tracked;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_check_recommends_what_to_do_for_each_prompt_that_rarely_mentions_the_brand() {
    // Half of the models name Acme in the second question's answers, all in the third's.
    let tracked = Tracked::new(2, &["no?", "gpt-6-luna?", "yes?", "failed?"]).await;
    tracked.check().await;
    let active = tracked.actionables("active").await;
    assert_eq!(active.len(), 1, "{active:#?}");
    let ids = tracked.prompt_ids().await;
    let today = tracked.today();
    let expected = json!({
        "rule": "low_visibility",
        "window": {"startDate": today.plus(-29).to_string(), "endDate": today.to_string(), "days": 30},
        "promptIds": [ids[0]],
        "modelIds": tracked.world.models(&tracked.account).await[..2],
        "counts": {"mentions": 0, "responses": 2},
        "score": 0.0,
        "interval": [0.0, 65.76],
        "query": {"path": "/trends/visibility", "parameters": {
            "entityId": tracked.entity, "promptIds": ids[0],
            "startDate": today.plus(-29).to_string(), "endDate": today.to_string(), "union": "false",
        }},
    });
    assert_eq!(active[0]["metadata"], expected);
    assert_eq!(active[0]["title"], "Get Acme named in answers to “no?”");
    assert_eq!(tracked.reproduce(&active[0]).await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_numbers_are_those_of_the_last_30_days_and_are_kept_up_to_date_in_place() {
    let tracked = Tracked::new(3, &["gpt-6-luna?", "yes?"]).await;
    let low = async || tracked.active("low_visibility").await.remove(0);
    tracked.check().await;
    let first = low().await;
    assert_eq!(first["priority"], "low");
    for days in [1, 1, 1, 1, 1] {
        tracked.later(days);
        tracked.check().await;
    }
    let sixth = low().await;
    assert_eq!(
        sixth["metadata"]["counts"],
        json!({"mentions": 6, "responses": 18})
    );
    assert_eq!(sixth["priority"], "high");
    assert_eq!(
        (&sixth["id"], &sixth["createdAt"]),
        (&first["id"], &first["createdAt"])
    );
    assert!(sixth["updatedAt"].as_i64() > first["updatedAt"].as_i64());
    tracked.reproduce(&sixth).await;

    // Both checks of one day count, and those of more than 29 days ago no longer.
    tracked.later(26);
    tracked.check().await;
    tracked.check().await;
    let last = low().await;
    assert_eq!(
        last["metadata"]["counts"],
        json!({"mentions": 6, "responses": 18})
    );
    tracked.reproduce(&last).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_dismissed_or_is_a_task_does_not_come_back_with_the_next_check() {
    let tracked = Tracked::new(1, &["no a?", "no b?", "no c?"]).await;
    tracked.check().await;
    let active = tracked.actionables("active").await;
    assert_eq!(active.len(), 3);
    for (verb, actionable) in [("dismiss", &active[0]), ("create-task", &active[1])] {
        tracked.act(verb, json!({"actionableId": actionable["id"]})).await;
    }
    tracked.later(1);
    tracked.check().await;
    let now = tracked.actionables("active").await;
    assert_eq!(now.len(), 1);
    assert_eq!(now[0]["id"], active[2]["id"]);
    let board = tracked.board().await;
    assert_eq!(board["actionables"].as_array().unwrap().len(), 3);
    assert_eq!(board["tasks"][0]["title"], active[1]["title"]);
    assert_eq!(board["tasks"][0]["type"], "off-page");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mention_of_another_member_of_its_group_counts_as_in_the_trend() {
    let tracked = Tracked::new(1, &["no?"]).await;
    let quiet = json!({"startTracking": false});
    let (world, account) = (&tracked.world, &tracked.account);
    let other = world.entity(account, "Other", "other.com", &[], quiet).await;
    // Every answer names Other.
    tracked.check().await;
    let active = tracked.actionables("active").await;
    assert_eq!(active.len(), 1);
    tracked
        .act("dismiss", json!({"actionableId": active[0]["id"]}))
        .await;

    let id = tracked.add("no more?").await;
    let group = json!({"primaryEntity": tracked.entity, "entities": [tracked.entity, other]});
    world.post(account, "/domain-groups", &group).await.ok();
    tracked.later(1);
    tracked.check().await;
    assert_eq!(tracked.actionables("active").await, [Value::Null; 0]);
    let path = format!("/trends/visibility?entityId={}&promptIds={id}", tracked.entity);
    assert_eq!(world.get(account, &path).await.ok()["data"][0]["score"], 100.0);
}

/// Two weeks of answers in which each rule finds something.
fn fortnight(day: u32, model: usize, prompt: &str) -> Told {
    let silent = model == 2;
    match prompt {
        "loved?" => Told {
            urls: &["https://guide.org/a"],
            ..names(if silent { "Other" } else { "Acme" })
        },
        "silent?" => Told {
            names: "Rival",
            urls: if model == 0 {
                &["https://list.org/x", "https://list.org/y"]
            } else {
                &["https://list.org/x"]
            },
            queries: if silent { &[] } else { &["Best tool", "best  tool"] },
        },
        "lost?" if day <= 7 => Told {
            urls: &["https://acme.com/p"],
            ..names(if silent { "Rival" } else { "Acme" })
        },
        "rare?" if model == 0 && day % 2 == 1 => Told {
            urls: &["https://www.acme.com/r"],
            ..names("Acme")
        },
        _ => names("Rival"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_weeks_of_answers_give_exactly_these_recommendations_and_the_api_gives_every_number() {
    let scripted = Scripted::new(&["loved?", "silent?", "lost?", "rare?"], fortnight).await;
    let tracked = &scripted.tracked;
    scripted.days(14).await;
    let ids = tracked.prompt_ids().await;
    let (loved, silent, lost, rare) = (&ids[0], &ids[1], &ids[2], &ids[3]);
    let active = tracked.actionables("active").await;
    let day = |ago: i32| tracked.today().plus(-ago).to_string();
    let counts = |mentions: u32, responses: u32| json!({"mentions": mentions, "responses": responses});
    // Each with its priority, its prompts, and the numbers that tell it from others.
    let expected = [
        (
            "model_gap",
            "high",
            json!([]),
            vec![("/counts", counts(0, 56)), ("/others/counts", counts(49, 112))],
        ),
        (
            "competitor_lead",
            "high",
            json!([]),
            vec![
                ("/rival/mentions", json!(105)),
                ("/rival/shareOfVoice", json!(68.18)),
                ("/own/mentions", json!(49)),
                ("/own/shareOfVoice", json!(31.82)),
                ("/visibility/counts", counts(49, 168)),
            ],
        ),
        (
            "citation_gap",
            "high",
            json!([silent]),
            vec![
                ("/domain", json!("list.org")),
                ("/citations", json!(56)),
                (
                    "/urls/0",
                    json!({"url": "https://list.org/x", "citationCount": 42}),
                ),
                (
                    "/urls/1",
                    json!({"url": "https://list.org/y", "citationCount": 14}),
                ),
            ],
        ),
        (
            "persistent_absence",
            "high",
            json!([silent]),
            vec![
                ("/checks", json!(14)),
                ("/since", json!(day(13))),
                ("/counts", counts(0, 42)),
            ],
        ),
        (
            "persistent_absence",
            "high",
            json!([lost]),
            vec![
                ("/checks", json!(7)),
                ("/since", json!(day(6))),
                ("/counts", counts(0, 21)),
            ],
        ),
        (
            "low_visibility",
            "high",
            json!([rare]),
            vec![("/counts", counts(7, 42))],
        ),
        (
            "uncited_mention",
            "high",
            json!([loved]),
            vec![("/counts", counts(28, 42)), ("/citations", json!(0))],
        ),
        (
            "fanout_gap",
            "high",
            json!([silent]),
            vec![
                ("/searchQuery", json!("Best tool")),
                ("/frequency", json!(28)),
                ("/uniqueResponses", json!(14)),
                ("/ownCitations/citations", json!(0)),
                ("/window/days", json!(7)),
            ],
        ),
        (
            "lost_visibility",
            "medium",
            json!([lost]),
            vec![
                ("/before/counts", counts(14, 21)),
                ("/after/counts", counts(0, 21)),
            ],
        ),
    ];
    assert_eq!(active.len(), expected.len(), "{active:#?}");
    for (rule, priority, prompts, numbers) in expected {
        let mut of = active.iter();
        let found = of.find(|a| a["sourceType"] == rule && a["metadata"]["promptIds"] == prompts);
        let found = found.unwrap_or_else(|| panic!("{rule} {prompts}"));
        assert_eq!(found["priority"], priority, "{rule}");
        for (place, number) in numbers {
            assert_eq!(found["metadata"].pointer(place), Some(&number), "{rule} {place}");
        }
    }
    let mut calls = 0;
    for actionable in &active {
        calls += tracked.reproduce(actionable).await;
    }
    // One call each, and those of the nested numbers: two in the last, one in three others.
    assert_eq!(calls, 9 + 2 + 3);

    // Before its third check the silent prompt was merely low.
    let dismissed = tracked.actionables("dismissed").await;
    let retired: Vec<&Value> = dismissed.iter().map(|a| &a["sourceType"]).collect();
    assert_eq!(retired, ["low_visibility"]);
}
