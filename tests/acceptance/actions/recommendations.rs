//! The recommendations that checks put on the board, tested through the whole service.

use std::sync::LazyLock;

use domain::limits::MAX_ACTIVE_ACTIONABLES;
use serde_json::{Value, json};

use super::scripted_entity::{ScriptedAnswer, ScriptedEntity, names};
use crate::analytics::TrackedEntity;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_check_recommends_what_to_do_for_each_prompt_that_rarely_mentions_the_brand() {
    // Half of the models name Acme in the second question's answers, all in the third's.
    let tracked = TrackedEntity::new(2, &["no?", "gpt-6-luna?", "yes?", "failed?"]).await;
    tracked.run_check().await;
    let active = tracked.actionables("active").await;
    assert_eq!(active.len(), 1, "{active:#?}");
    let ids = tracked.prompt_ids().await;
    let today = tracked.today();
    let expected = json!({
        "rule": "low_visibility",
        "window": {"startDate": today.plus_days(-29).to_string(), "endDate": today.to_string(), "days": 30},
        "promptIds": [ids[0]],
        "modelIds": tracked.world.models(&tracked.account).await[..2],
        "counts": {"mentions": 0, "responses": 2},
        "score": 0.0,
        "interval": [0.0, 65.76],
        "query": {"path": "/trends/visibility", "parameters": {
            "entityId": tracked.entity, "promptIds": ids[0],
            "startDate": today.plus_days(-29).to_string(), "endDate": today.to_string(), "union": "false",
        }},
    });
    assert_eq!(active[0]["metadata"], expected);
    assert_eq!(active[0]["title"], "Get Acme named in answers to “no?”");
    assert_eq!(tracked.reproduce(&active[0]).await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_numbers_are_those_of_the_last_30_days_and_are_kept_up_to_date_in_place() {
    let tracked = TrackedEntity::new(3, &["gpt-6-luna?", "yes?"]).await;
    let low = async || tracked.active("low_visibility").await.remove(0);
    tracked.run_check().await;
    let first = low().await;
    assert_eq!(first["priority"], "low");
    for days in [1, 1, 1, 1, 1] {
        tracked.advance_days(days);
        tracked.run_check().await;
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

    // Both checks of one day count. Checks of more than 29 days ago no longer count.
    tracked.advance_days(26);
    tracked.run_check().await;
    tracked.run_check().await;
    let last = low().await;
    assert_eq!(
        last["metadata"]["counts"],
        json!({"mentions": 6, "responses": 18})
    );
    tracked.reproduce(&last).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_dismissed_or_is_a_task_does_not_come_back_with_the_next_check() {
    let tracked = TrackedEntity::new(1, &["no a?", "no b?", "no c?"]).await;
    tracked.run_check().await;
    let active = tracked.actionables("active").await;
    assert_eq!(active.len(), 3);
    for (verb, actionable) in [("dismiss", &active[0]), ("create-task", &active[1])] {
        tracked.act(verb, json!({"actionableId": actionable["id"]})).await;
    }
    tracked.advance_days(1);
    tracked.run_check().await;
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
    let tracked = TrackedEntity::new(1, &["no?"]).await;
    let quiet = json!({"startTracking": false});
    let (world, account) = (&tracked.world, &tracked.account);
    let other = world.entity(account, "Other", "other.com", &[], quiet).await;
    // Every answer names Other.
    tracked.run_check().await;
    let active = tracked.actionables("active").await;
    assert_eq!(active.len(), 1);
    tracked
        .act("dismiss", json!({"actionableId": active[0]["id"]}))
        .await;

    let id = tracked.add_prompt("no more?").await;
    let group = json!({"primaryEntity": tracked.entity, "entities": [tracked.entity, other]});
    world.post(account, "/domain-groups", &group).await.ok();
    tracked.advance_days(1);
    tracked.run_check().await;
    assert_eq!(tracked.actionables("active").await, [Value::Null; 0]);
    let path = format!("/trends/visibility?entityId={}&promptIds={id}", tracked.entity);
    assert_eq!(world.get(account, &path).await.ok()["data"][0]["score"], 100.0);
}

/// More sites than a board has recommendations.
static MANY_URLS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let sites = 0..MAX_ACTIVE_ACTIONABLES + 10;
    sites
        .map(|site| &*format!("https://site{site}.org/page").leak())
        .collect()
});

/// Scripts answers that cite one site for two days, and fewer answers that cite many others all the time.
fn crowded_script(day: u32, model: usize, prompt: &str) -> ScriptedAnswer {
    match prompt {
        "first?" if day <= 2 => ScriptedAnswer {
            urls: &["https://first.org/page"],
            ..names("Rival")
        },
        "first?" => names("Acme"),
        _ if model == 0 => names("Rival"),
        _ => ScriptedAnswer {
            urls: &MANY_URLS,
            ..names("Rival")
        },
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_recommendation_that_takes_the_place_of_one_that_ends_with_the_same_check_has_its_urls() {
    let scripted = ScriptedEntity::new(&["first?", "many?"], crowded_script).await;
    let tracked = &scripted.tracked;
    let of_first = async |status: &str| {
        let with_status = tracked.actionables(status).await;
        let domains = with_status.iter().map(|one| &one["metadata"]["domain"]);
        domains.filter(|domain| *domain == "first.org").count()
    };
    // From the third day on there is no cause for the first recommendation any more. It ends with the third
    // check without one.
    scripted.run_days(4).await;
    assert_eq!(of_first("active").await, 1);
    let before = tracked.actionables("active").await;
    assert_eq!(before.len(), MAX_ACTIVE_ACTIONABLES);
    scripted.run_days(1).await;
    assert_eq!(of_first("dismissed").await, 1);
    let after = tracked.actionables("active").await;
    assert_eq!(after.len(), MAX_ACTIVE_ACTIONABLES);
    let is_new = |actionable: &&Value| before.iter().all(|old| old["id"] != actionable["id"]);
    let is_gap = |actionable: &&Value| actionable["sourceType"] == "citation_gap";
    let new: Vec<&Value> = after.iter().filter(is_new).filter(is_gap).collect();
    assert!(!new.is_empty());
    for actionable in new {
        assert_eq!(actionable["metadata"]["urls"].as_array().unwrap().len(), 1);
        tracked.reproduce(actionable).await;
    }
}
