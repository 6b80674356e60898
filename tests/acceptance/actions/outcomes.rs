//! The outcomes of done tasks.

use serde_json::{Value, json};

use super::scripted_entity::{ScriptedAnswer, ScriptedEntity, names};
use crate::analytics::TrackedEntity;

/// Scripts what is named and cited up to day 8, and afterwards.
fn script(day: u32, model: usize, prompt: &str) -> ScriptedAnswer {
    let is_after = day > 8;
    let named = match prompt {
        "up?" => is_after,
        "down?" => !is_after && model == 0,
        "cited?" => true,
        _ => false,
    };
    let urls: &[&str] = match (prompt, is_after) {
        ("cited?", true) => &["https://acme.com/page"],
        ("cited?", false) => &["https://guide.org/page"],
        _ => &[],
    };
    ScriptedAnswer {
        urls,
        ..names(if named { "Acme" } else { "Other" })
    }
}

const PROMPTS: [&str; 5] = ["up?", "same?", "down?", "cited?", "back?"];

impl TrackedEntity {
    /// Makes what a rule says of each prompt a task and moves it to `done`; the actionables' ids with the
    /// tasks'.
    async fn do_all(&self, ids: &[String], rules: &[&str]) -> Vec<(Value, Value)> {
        let active = self.actionables("active").await;
        let mut done = Vec::new();
        for (id, rule) in ids.iter().zip(rules) {
            let mut matching = active.iter().filter(|a| a["sourceType"] == *rule);
            let matching = matching.find(|a| a["metadata"]["promptIds"] == json!([id]));
            let actionable = matching.unwrap_or_else(|| panic!("{rule}"))["id"].clone();
            let task = self.act("create-task", json!({"actionableId": actionable})).await;
            let task = task["data"]["id"].clone();
            self.act("update-status", json!({"taskId": task, "status": "done"}))
                .await;
            done.push((actionable, task));
        }
        done
    }

    async fn outcome(&self, actionable: &Value) -> Value {
        let of = self.actionables("in_task").await;
        let of = of.iter().find(|a| a["id"] == *actionable).unwrap();
        of["metadata"]["outcome"].clone()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_done_task_gets_its_outcome_once_and_then_its_cause_may_return() {
    let scripted = ScriptedEntity::new(&PROMPTS, script).await;
    let tracked = &scripted.tracked;
    scripted.run_days(8).await;
    let ids = tracked.prompt_ids().await;
    let absent = "persistent_absence";
    let rules = [absent, absent, "low_visibility", "uncited_mention", absent];
    let done = tracked.do_all(&ids, &rules).await;
    let (back, back_task) = &done[4];
    let body = json!({"taskId": back_task, "status": "in_review"});
    tracked.act("update-status", body).await;

    // Six days give 18 answers.
    scripted.run_days(6).await;
    for (actionable, _) in &done {
        assert_eq!(tracked.outcome(actionable).await, Value::Null);
    }
    let count_active = async |id: &str| {
        let mut active = tracked.active("persistent_absence").await;
        active.retain(|a| a["metadata"]["promptIds"] == json!([id]));
        active.len()
    };
    assert_eq!(count_active(&ids[1]).await, 0, "its task holds it");

    scripted.run_days(1).await;
    let day = |days: i32| tracked.today().plus_days(days).to_string();
    for ((actionable, _), (result, kind, before, after)) in done.iter().zip([
        ("improved", "mentions", (0, 21), (21, 21)),
        ("no_change", "mentions", (0, 21), (0, 21)),
        ("worse", "mentions", (7, 21), (0, 21)),
        ("improved", "ownCitations", (0, 21), (21, 21)),
    ]) {
        let outcome = tracked.outcome(actionable).await;
        assert_eq!(outcome["result"], result);
        let all = if kind == "mentions" {
            "responses"
        } else {
            "citations"
        };
        for (side, counts, first, last) in [
            ("before", before, day(-37), day(-8)),
            ("after", after, day(-6), day(0)),
        ] {
            let side = &outcome[side];
            assert_eq!(side["counts"], json!({kind: counts.0, all: counts.1}));
            assert_eq!(
                (&side["startDate"], &side["endDate"]),
                (&json!(first), &json!(last))
            );
        }
    }
    assert_eq!(tracked.outcome(back).await, Value::Null);
    assert_eq!(
        (
            count_active(&ids[0]).await,
            count_active(&ids[1]).await,
            count_active(&ids[4]).await
        ),
        (0, 1, 0)
    );

    let mut calls = 0;
    for actionable in tracked.actionables("in_task").await {
        calls += tracked.reproduce(&actionable).await;
    }
    // One call per actionable, and two for each of the four outcomes.
    assert_eq!(calls, 5 + 8);
    let before = tracked.outcome(&done[2].0).await;
    scripted.run_days(1).await;
    assert_eq!(tracked.outcome(&done[2].0).await, before);
    assert_eq!(count_active(&ids[1]).await, 1);
}
