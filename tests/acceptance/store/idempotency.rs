//! An idempotent request takes effect once, and its reply is kept for a day.

use domain::time::HOUR;
use store::{RecordedReply, ReplyRecorder, RequestIdentity, Trigger, WriteError};

use super::table::{Table, catalogue, new_prompts};

fn request(path: &str, body: &str) -> RequestIdentity {
    RequestIdentity::new("POST", path, b"key", body)
}

#[tokio::test]
async fn a_reply_is_kept_for_a_day_and_its_key_is_free_afterwards() {
    let table = Table::start().await;
    let tenant = table.tenant(1_000).await;
    let entity = table.entity(&tenant, "acme.com", 1, 1).await;
    let request = request("/entities/run-check", "{}");
    let add = async || {
        let once = ReplyRecorder::new(&request, |added: &Vec<domain::prompt::Prompt>| {
            Ok(added[0].ordinal.to_string())
        });
        let added = table
            .store
            .add_prompts(&tenant, &entity.id, &new_prompts(1), &once)
            .await;
        added.map(|added| added[0].ordinal)
    };
    assert_eq!(add().await.unwrap(), 2.into());
    for (hours, recorded) in [(23, Some("2")), (1, None)] {
        table.advance(hours * HOUR);
        let answer = table.store.recorded_reply(&tenant, &request).await.unwrap();
        assert_eq!(answer, recorded.map(|text| RecordedReply::Reply(text.to_owned())));
        if recorded.is_some() {
            assert!(matches!(add().await, Err(WriteError::AlreadyRecorded)));
        }
    }
    // DynamoDB may not have deleted the record yet.
    assert!(table.items().await.keys().any(|(_, sk)| sk.starts_with("IDEM#")));
    assert_eq!(add().await.unwrap(), 3.into());
}

#[tokio::test]
async fn a_refused_run_check_is_not_recorded_and_an_accepted_one_is() {
    let table = Table::start().await;
    let tenant = table.tenant(1_000).await;
    let entity = table.entity(&tenant, "acme.com", 0, 1).await;
    let request = request("/entities/run-check", "{}");
    let catalogue = catalogue();
    let check = async || {
        let once = ReplyRecorder::new(&request, |claim: &store::Claim| Ok(claim.check.to_string()));
        table
            .store
            .claim_check(&tenant, &entity.id, Trigger::Request, &catalogue, &once)
            .await
    };
    assert!(matches!(check().await, Err(WriteError::Refused(_))));
    assert_eq!(table.store.recorded_reply(&tenant, &request).await.unwrap(), None);
    table
        .store
        .add_prompts(&tenant, &entity.id, &new_prompts(1), &ReplyRecorder::disabled())
        .await
        .unwrap();
    assert_eq!(check().await.unwrap().check, 1.into());
    let recorded = table.store.recorded_reply(&tenant, &request).await.unwrap();
    assert_eq!(recorded, Some(RecordedReply::Reply("1".to_owned())));
}
