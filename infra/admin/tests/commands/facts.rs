use domain::clock::Clock;
use serde_json::{Value, json};

use crate::world::*;

#[tokio::test]
async fn the_facts_of_a_day_are_shown_and_a_rebuild_holds_the_same() {
    let host = host().await;
    let id = workspace(&host).await;
    let entity = entity(&host, &id, &["Which tool is best?", "Which shop is best?"]).await;
    let run = format!("check run --workspace {id} --entity {}", entity.id);
    answer(&host, &run).await;
    host.queues.wait_until_idle().await;
    let last = reread(&host, &id, &entity).await.last_check.unwrap();
    let of_day = format!("--workspace {id} --entity {} --day {}", entity.id, last.day);

    let shown = answer(&host, &format!("facts show {of_day}")).await;
    assert_eq!(shown["checks"].as_array().unwrap().len(), 1);
    let families = &shown["checks"][0]["families"];
    let facts = |family: &str| families[family]["facts"].clone();
    let rows = |family: &str| facts(family).as_array().unwrap().len();
    assert_eq!((rows("visibility"), rows("responses")), (6, 6));
    // Two prompts, three models: every answer of the demo is there, with what it cites.
    let sum = |counts: Value| -> u64 {
        let counts = counts.as_object().unwrap().clone();
        counts.values().map(|count| count.as_u64().unwrap()).sum()
    };
    let of_rows: u64 = facts("responses")
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["citations"].as_u64().unwrap())
        .sum();
    assert!(of_rows > 0);
    assert_eq!(sum(facts("citations")), of_rows);
    assert_eq!(sum(facts("links")), of_rows);

    let rebuilt = answer(&host, &format!("facts rebuild {of_day}")).await;
    assert_eq!(
        rebuilt["checks"],
        json!([{"check": 1, "responses": 6, "changed": false}])
    );
    assert_eq!(answer(&host, &format!("facts show {of_day}")).await, shown);
    host.stop().await;
}

#[tokio::test]
async fn a_day_without_facts_is_shown_empty_and_not_rebuilt() {
    let host = host().await;
    let id = workspace(&host).await;
    let entity = entity(&host, &id, &["Which tool is best?"]).await;
    let of_day = format!("--workspace {id} --entity {} --day 2026-01-31", entity.id);
    let shown = answer(&host, &format!("facts show {of_day}")).await;
    let none = json!({"entityId": entity.id.as_str(), "day": "2026-01-31", "checks": []});
    assert_eq!(shown, none);
    let refused = error(&host, &format!("facts rebuild {of_day}")).await;
    assert_eq!(refused, "the day has no facts");
    let foreign = workspace(&host).await;
    let line = format!(
        "facts show --workspace {foreign} --entity {} --day 2026-01-31",
        entity.id
    );
    assert!(error(&host, &line).await.contains("--entity"));
    host.stop().await;
}

#[tokio::test]
async fn recorded_answers_are_read_again_on_request() {
    let host = host().await;
    let id = workspace(&host).await;
    let entity = entity(&host, &id, &["Which tool is best?"]).await;
    let tenant = store::Tenant::operator(id.parse().unwrap());
    let reread_all = answer(&host, &format!("facts reread --workspace {id}")).await;
    let expected = json!({"workspaceId": id, "entityId": null, "since": null});
    assert_eq!(reread_all, expected);
    let requested = host.store.workspace_rereading(&tenant).await.unwrap();
    assert_eq!(requested.unwrap().since, None);

    let of_entity = format!("facts reread --workspace {id} --entity {}", entity.id);
    let reread_some = answer(&host, &format!("{of_entity} --since 2026-11-01")).await;
    let expected = json!({"workspaceId": id, "entityId": entity.id.as_str(), "since": "2026-11-01"});
    assert_eq!(reread_some, expected);
    let progress = host.store.rereading_progress(&tenant, &entity.id).await.unwrap();
    assert_eq!(progress.unwrap().done, 0);
    // A request for more days widens the pending one.
    answer(&host, &of_entity).await;
    let until = host.clock.now() + domain::limits::REREADING_LEASE;
    let lease = host
        .store
        .lease_rereading(&tenant, &entity.id, uuid::Uuid::nil(), until)
        .await;
    assert_eq!(lease.unwrap().unwrap().rereading.since, None);
    host.stop().await;
}

#[tokio::test]
async fn only_what_exists_is_read_again() {
    let host = host().await;
    let id = workspace(&host).await;
    let entity = entity(&host, &id, &[]).await;
    let foreign = workspace(&host).await;
    for line in [
        format!("facts reread --workspace {foreign} --entity {}", entity.id),
        format!("facts reread --workspace {id} --entity {UNKNOWN}"),
        format!("facts reread --workspace {id} --entity x"),
    ] {
        assert!(error(&host, &line).await.contains("--entity"), "{line}");
    }
    let unknown = error(&host, &format!("facts reread --workspace {UNKNOWN}")).await;
    assert!(unknown.contains("--workspace"), "{unknown}");
    host.stop().await;
}
