//! What checks put on the board, through the whole service.

use serde_json::{Value, json};

use super::LISTED;
use crate::analytics::Tracked;

impl Tracked {
    async fn board(&self) -> Value {
        let path = format!("/entities/actions?entityId={}", self.entity);
        let listed = self.world.get(&self.account, &path).await.ok();
        LISTED.assert(&listed);
        listed["data"].clone()
    }

    async fn active(&self) -> Vec<Value> {
        let board = self.board().await;
        let actionables = board["actionables"].as_array().unwrap();
        actionables
            .iter()
            .filter(|a| a["status"] == "active")
            .cloned()
            .collect()
    }

    /// Mentions and responses that the call named as evidence gives.
    async fn evidence_of_api(&self, actionable: &Value) -> Value {
        let query = &actionable["metadata"]["query"];
        let parameters = query["parameters"].as_object().unwrap();
        let parameters = parameters
            .iter()
            .map(|(name, value)| format!("{name}={}", value.as_str().unwrap()));
        let path = format!(
            "{}?{}",
            query["path"].as_str().unwrap(),
            parameters.collect::<Vec<_>>().join("&")
        );
        let trend = self.world.get(&self.account, &path).await.ok();
        let points = trend["data"].as_array().unwrap();
        let sum = |field: &str| points.iter().map(|p| p[field].as_u64().unwrap()).sum::<u64>();
        json!({"mentions": sum("mentions"), "responses": sum("responses")})
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_check_recommends_what_to_do_for_each_prompt_that_rarely_mentions_the_brand() {
    // Half of the models name Acme in the second question's answers, all in the third's.
    let tracked = Tracked::new(2, &["no?", "gpt-6-luna?", "yes?", "failed?"]).await;
    tracked.check().await;
    let active = tracked.active().await;
    assert_eq!(active.len(), 1, "{active:#?}");
    let ids = tracked.prompt_ids().await;
    let today = tracked.today();
    let expected = json!({
        "rule": "low_visibility",
        "window": {"startDate": today.plus(-6).to_string(), "endDate": today.to_string(), "days": 7},
        "promptIds": [ids[0]],
        "modelIds": tracked.world.models(&tracked.account).await[..2],
        "counts": {"mentions": 0, "responses": 2},
        "score": 0.0,
        "interval": [0.0, 65.76],
        "query": {"path": "/trends/visibility", "parameters": {
            "entityId": tracked.entity, "promptIds": ids[0],
            "startDate": today.plus(-6).to_string(), "endDate": today.to_string(), "union": "false",
        }},
    });
    assert_eq!(active[0]["metadata"], expected);
    assert_eq!(active[0]["title"], "Get Acme named in answers to “no?”");
    assert_eq!(tracked.evidence_of_api(&active[0]).await, expected["counts"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_numbers_are_those_of_the_last_7_days_and_are_kept_up_to_date_in_place() {
    let tracked = Tracked::new(1, &["no?", "yes?"]).await;
    tracked.check().await;
    let first = tracked.active().await.remove(0);
    assert_eq!(first["priority"], "low");
    for days in [1, 1, 1, 1, 1] {
        tracked.later(days);
        tracked.check().await;
    }
    let sixth = tracked.active().await;
    assert_eq!(sixth.len(), 1);
    assert_eq!(
        sixth[0]["metadata"]["counts"],
        json!({"mentions": 0, "responses": 6})
    );
    assert_eq!(sixth[0]["priority"], "high");
    assert_eq!(
        (&sixth[0]["id"], &sixth[0]["createdAt"]),
        (&first["id"], &first["createdAt"])
    );
    assert!(sixth[0]["updatedAt"].as_i64() > first["updatedAt"].as_i64());
    assert_eq!(
        tracked.evidence_of_api(&sixth[0]).await,
        sixth[0]["metadata"]["counts"]
    );

    // Both checks of one day count, and those of more than 6 days ago no longer.
    tracked.later(4);
    tracked.check().await;
    tracked.check().await;
    let last = tracked.active().await;
    assert_eq!(
        last[0]["metadata"]["counts"],
        json!({"mentions": 0, "responses": 5})
    );
    assert_eq!(
        tracked.evidence_of_api(&last[0]).await,
        last[0]["metadata"]["counts"]
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_dismissed_or_is_a_task_does_not_come_back_with_the_next_check() {
    let tracked = Tracked::new(1, &["no a?", "no b?", "no c?"]).await;
    tracked.check().await;
    let active = tracked.active().await;
    assert_eq!(active.len(), 3);
    for (verb, actionable) in [("dismiss", &active[0]), ("create-task", &active[1])] {
        let path = format!("/entities/actions/{verb}");
        let body = json!({"actionableId": actionable["id"]});
        tracked.world.post(&tracked.account, &path, &body).await.ok();
    }
    tracked.later(1);
    tracked.check().await;
    let now = tracked.active().await;
    assert_eq!(now.len(), 1);
    assert_eq!(now[0]["id"], active[2]["id"]);
    let board = tracked.board().await;
    assert_eq!(board["actionables"].as_array().unwrap().len(), 3);
    assert_eq!(board["tasks"][0]["title"], active[1]["title"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mention_of_another_member_of_its_group_counts_as_in_the_trend() {
    let tracked = Tracked::new(1, &["no?"]).await;
    let quiet = json!({"startTracking": false});
    let (world, account) = (&tracked.world, &tracked.account);
    let other = world.entity(account, "Other", "other.com", &[], quiet).await;
    // Every answer names Other.
    tracked.check().await;
    assert_eq!(tracked.active().await.len(), 1);
    let path = "/entities/actions/dismiss";
    let body = json!({"actionableId": tracked.active().await[0]["id"]});
    world.post(account, path, &body).await.ok();

    let id = tracked.add("no more?").await;
    let group = json!({"primaryEntity": tracked.entity, "entities": [tracked.entity, other]});
    world.post(account, "/domain-groups", &group).await.ok();
    tracked.later(1);
    tracked.check().await;
    assert_eq!(tracked.active().await, [Value::Null; 0]);
    let path = format!("/trends/visibility?entityId={}&promptIds={id}", tracked.entity);
    assert_eq!(world.get(account, &path).await.ok()["data"][0]["score"], 100.0);
}
