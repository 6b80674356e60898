use std::sync::Arc;

use admin::Arguments;
use events::{CheckEvent, CheckRef};
use runtime::{Settings, SystemClock};
use serde_json::json;
use store::{ReplyRecorder, Tenant, Trigger};

use crate::world::*;

#[tokio::test]
async fn a_wanted_check_is_run_once_however_often_its_event_comes() {
    let host = host().await;
    let id = workspace(&host).await;
    let entity = entity(&host, &id, &["Which tool is best?", "Which shop is best?"]).await;
    let line = format!("check run --workspace {id} --entity {}", entity.id);
    let requested = answer(&host, &line).await;
    let number = requested["check"].as_u64();
    assert_eq!(
        requested,
        json!({"workspaceId": id, "entityId": entity.id.as_str(), "check": 1, "requested": true})
    );
    host.queues.wait_until_idle().await;
    let checked = reread(&host, &id, &entity).await;
    assert_eq!(checked.last_check.map(|c| u64::from(c.check.get())), number);

    let again = CheckRef {
        workspace_id: id.parse().unwrap(),
        entity_id: entity.id,
        check: 1.into(),
    };
    host.bus.publish(&[CheckEvent::CheckWanted(again)]).await.unwrap();
    host.queues.wait_until_idle().await;
    assert_eq!(reread(&host, &id, &entity).await.check_seq.get(), 1);

    assert_eq!(answer(&host, &line).await["check"], 2);
    host.queues.wait_until_idle().await;
    assert_eq!(
        reread(&host, &id, &entity).await.last_check.map(|c| c.check),
        Some(2.into())
    );
    host.stop().await;
}

#[tokio::test]
async fn a_check_that_cannot_be_is_refused_with_the_reason() {
    let host = host().await;
    let id = workspace(&host).await;
    let entity = entity(&host, &id, &[]).await;
    let line = format!("check run --workspace {id} --entity {}", entity.id);
    assert_eq!(error(&host, &line).await, "the entity has no active prompt");

    let other = workspace(&host).await;
    let foreign = format!("check run --workspace {other} --entity {}", entity.id);
    assert!(error(&host, &foreign).await.contains("--entity"));

    let canceled = format!("workspace set-limits --workspace {id} --status canceled");
    answer(&host, &canceled).await;
    assert!(error(&host, &line).await.contains("canceled"));
    host.stop().await;
}

#[tokio::test]
async fn a_check_is_not_asked_of_one_services_bus_for_anothers_table() {
    for at in ["--endpoint-url", "--events-endpoint"] {
        let words = format!("{at} http://127.0.0.1:1 check run --workspace {UNKNOWN} --entity {UNKNOWN}");
        let arguments = Arguments::from_words(words.split(' ')).unwrap();
        let settings = Settings::from_lookup(|_| None).unwrap();
        let refused = admin::run(arguments, &settings, Arc::new(SystemClock)).await;
        assert!(refused.unwrap_err().to_string().contains("together"));
    }
}

#[tokio::test]
async fn a_check_is_not_asked_of_an_accounts_own_bus() {
    let words = format!("check run --workspace {UNKNOWN} --entity {UNKNOWN}");
    let arguments = Arguments::from_words(words.split(' ')).unwrap();
    let settings = Settings::from_lookup(|_| None).unwrap();
    let refused = admin::run(arguments, &settings, Arc::new(SystemClock)).await;
    assert!(refused.unwrap_err().to_string().contains("--bus"));
}

#[tokio::test]
async fn a_check_is_refused_while_one_runs() {
    let host = host().await;
    let id = workspace(&host).await;
    let busy = entity(&host, &id, &["Which tool is best?"]).await;
    let unpublished = host
        .store
        .claim_check(
            &Tenant::operator(id.parse().unwrap()),
            &busy.id,
            Trigger::Request,
            &local::demo::catalogue().unwrap(),
            &ReplyRecorder::disabled(),
        )
        .await;
    assert!(unpublished.is_ok());
    let line = format!("check run --workspace {id} --entity {}", busy.id);
    assert_eq!(error(&host, &line).await, "a check of this entity is running");
    host.stop().await;
}
