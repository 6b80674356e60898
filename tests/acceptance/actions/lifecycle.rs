//! The lifecycle of recommendations: created, kept, retired and created again.

use std::collections::BTreeSet;

use domain::id::EntityId;
use events::{CheckEvent, CheckRef};
use serde_json::{Value, json};

use super::scripted_entity::{ScriptedAnswer, ScriptedEntity, names};

/// One of three models names Acme, in each prompt another one, so that each prompt has a low score and no
/// model is silent.
fn one_model_names_acme(_: u32, model: usize, prompt: &str) -> ScriptedAnswer {
    let number: usize = prompt
        .trim_matches(|c: char| !c.is_ascii_digit())
        .parse()
        .unwrap();
    names(if number % 3 == model { "Acme" } else { "Other" })
}

fn prompts(numbers: std::ops::Range<u32>) -> Vec<String> {
    numbers.map(|n| format!("Question {n}?")).collect()
}

fn ids(actionables: &[Value]) -> BTreeSet<String> {
    let id = |a: &Value| a["id"].as_str().unwrap().to_owned();
    actionables.iter().map(id).collect()
}

fn prompt_ids(actionables: &[Value]) -> BTreeSet<String> {
    let prompt = |a: &Value| a["metadata"]["promptIds"][0].as_str().unwrap().to_owned();
    actionables.iter().map(prompt).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_40_causes_the_30_of_most_impact_are_active_and_what_is_freed_is_filled_by_others() {
    let first = prompts(0..20);
    let first: Vec<&str> = first.iter().map(String::as_str).collect();
    let scripted = ScriptedEntity::new(&first, one_model_names_acme).await;
    let tracked = &scripted.tracked;
    scripted.run_days(1).await;
    assert_eq!(tracked.actionables("active").await.len(), 20);
    // These 20 are asked one day less and have half the impact.
    let body = json!({"entityId": tracked.entity, "prompts": prompts(20..40)});
    tracked
        .world
        .post(&tracked.account, "/entities/addprompt", &body)
        .await
        .ok();
    scripted.run_days(1).await;
    let active = tracked.actionables("active").await;
    assert_eq!(active.len(), 30);
    let all = tracked.prompt_ids().await;
    assert!(all[..20].iter().all(|id| prompt_ids(&active).contains(id)));

    let (dismissed, tasked) = (&active[..5], &active[7]);
    for actionable in dismissed {
        tracked
            .act("dismiss", json!({"actionableId": actionable["id"]}))
            .await;
    }
    tracked
        .act("create-task", json!({"actionableId": tasked["id"]}))
        .await;
    scripted.run_days(1).await;
    let next = tracked.actionables("active").await;
    assert_eq!(next.len(), 30);
    assert_eq!(ids(&next).difference(&ids(&active)).count(), 6);
    let gone = [dismissed, std::slice::from_ref(tasked)].concat();
    assert!(prompt_ids(&next).is_disjoint(&prompt_ids(&gone)));
    let total: BTreeSet<String> = prompt_ids(&next).union(&prompt_ids(&gone)).cloned().collect();
    assert_eq!(total.len(), 36);

    // Finishing a check again, several times at once, changes nothing.
    let before = tracked.board().await;
    let entity: EntityId = tracked.entity.parse().unwrap();
    let last = tracked
        .world
        .host
        .store
        .entity(&tracked.account.tenant, &entity)
        .await;
    let answered = CheckEvent::CheckAnswered(CheckRef {
        workspace_id: *tracked.account.tenant.workspace(),
        entity_id: entity,
        check: last.unwrap().unwrap().last_check.unwrap().check,
    });
    tracked.world.host.bus.publish(&vec![answered; 5]).await.unwrap();
    tracked.world.host.queues.wait_until_idle().await;
    assert_eq!(tracked.board().await, before);
}

/// Not named on the first day, always on the next three, by one of three models from then on.
fn named_at_times(day: u32, model: usize, _: &str) -> ScriptedAnswer {
    let named = (2..=4).contains(&day) || day > 4 && model == 0;
    names(if named { "Acme" } else { "Other" })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_recommendation_without_its_cause_in_three_complete_checks_retires_and_returns_with_it() {
    let scripted = ScriptedEntity::new(&["What?"], named_at_times).await;
    let tracked = &scripted.tracked;
    scripted.run_days(3).await;
    let low = tracked.active("low_visibility").await;
    assert_eq!(low.len(), 1, "its cause is gone for two checks");
    scripted.run_days(1).await;
    assert_eq!(tracked.active("low_visibility").await, [Value::Null; 0]);
    let retired = tracked.actionables("dismissed").await;
    assert_eq!(ids(&retired), ids(&low));
    let metadata = &retired[0]["metadata"];
    assert_eq!(metadata["retired"]["at"], retired[0]["updatedAt"]);
    assert_eq!(metadata["counts"], low[0]["metadata"]["counts"]);

    // 15 of 30 answers name it after ten days, 16 of 33 after eleven.
    scripted.run_days(6).await;
    assert_eq!(tracked.active("low_visibility").await, [Value::Null; 0]);
    scripted.run_days(1).await;
    let again = tracked.active("low_visibility").await;
    assert_eq!(
        again[0]["metadata"]["counts"],
        json!({"mentions": 16, "responses": 33})
    );
    assert_ne!(ids(&again), ids(&low));
    assert_eq!(ids(&tracked.actionables("dismissed").await), ids(&low));
}
