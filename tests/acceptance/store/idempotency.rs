//! An idempotent request takes effect once, and its reply is kept for a day.

use acceptance::Fault;
use domain::time::HOUR;
use futures::future::join_all;
use store::{
    CreatedEntity, RecordedReply, ReplyRecorder, RequestIdentity, StoreError, Tenant, Trigger, WriteError,
};

use super::table::{Table, catalogue, models, new_entity, new_prompts};

fn request(path: &str, body: &str) -> RequestIdentity {
    RequestIdentity::new("POST", path, b"key", body)
}

fn id_of(created: &CreatedEntity) -> Result<String, StoreError> {
    Ok(created.entity.id.to_string())
}

/// Creates an entity as a request would: a reply that is already recorded is returned.
async fn create(table: &Table, tenant: &Tenant, request: &RequestIdentity) -> Result<String, StoreError> {
    let new = new_entity(tenant, "acme.com", 3, &models(2));
    let once = ReplyRecorder::new(request, id_of);
    let created = table
        .store
        .create_entity(tenant, &new, Some(&catalogue()), &once)
        .await;
    match created {
        Ok(created) => id_of(&created),
        Err(WriteError::Store(error)) => Err(error),
        Err(WriteError::Refused(_) | WriteError::AlreadyRecorded) => {
            match table.store.recorded_reply(tenant, request).await? {
                Some(RecordedReply::Reply(id)) => Ok(id),
                other => panic!("refused without a record: {other:?}"),
            }
        }
    }
}

#[tokio::test]
async fn a_creation_that_is_retried_until_it_is_answered_takes_effect_once() {
    for seed in 0..12 {
        let table = Table::start().await;
        let tenant = table.tenant(1_000).await;
        let request = request("/entities", "{}");
        table.faults.random(seed, 300, &Fault::TRANSIENT);
        let mut answers = Vec::new();
        while answers.len() < 4 {
            let some = join_all((0..3).map(|_| create(&table, &tenant, &request))).await;
            for answer in some {
                match answer {
                    Ok(id) => answers.push(id),
                    Err(error) => assert!(error.is_transient(), "seed {seed}: {error}"),
                }
            }
        }
        table.faults.none();
        let entities = table.store.entities(&tenant).await.unwrap();
        assert_eq!(entities.len(), 1, "seed {seed}");
        assert!(
            answers.iter().all(|id| *id == entities[0].id.to_string()),
            "seed {seed}"
        );
        let workspace = table.store.workspace(&tenant).await.unwrap().unwrap();
        assert_eq!((workspace.entities_used, workspace.prompts_used), (1, 3));
        assert_eq!(entities[0].running.as_ref().map(|r| r.check.get()), Some(1));
        assert_eq!(table.credits(&tenant).await, (988, 12, 0), "seed {seed}");
    }
}

#[tokio::test]
async fn prompts_that_are_added_again_exist_once() {
    for seed in 0..6 {
        let table = Table::start().await;
        let tenant = table.tenant(0).await;
        let entity = table.entity(&tenant, "acme.com", 1, 1).await;
        let (request, prompts) = (request("/entities/addprompt", "{}"), new_prompts(4));
        table.faults.random(seed, 300, &Fault::TRANSIENT);
        let mut repeated = 0;
        while repeated < 3 {
            let once = ReplyRecorder::new(&request, |added: &Vec<_>| Ok(added.len().to_string()));
            match table
                .store
                .add_prompts(&tenant, &entity.id, &prompts, &once)
                .await
            {
                Ok(added) => assert_eq!(added.len(), 4),
                Err(WriteError::AlreadyRecorded) => repeated += 1,
                Err(error) => assert!(error.is_transient(), "{error}"),
            }
        }
        table.faults.none();
        let found = table.store.prompts(&tenant, &entity.id).await.unwrap();
        assert_eq!(found.len(), 5, "seed {seed}");
        let recorded = table.store.recorded_reply(&tenant, &request).await.unwrap();
        assert_eq!(recorded, Some(RecordedReply::Reply("4".to_owned())));
    }
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
async fn a_key_belongs_to_one_workspace_one_path_and_one_body() {
    let table = Table::start().await;
    let (tenant, stranger) = (table.tenant(1_000).await, table.tenant(1_000).await);
    let asked = request("/entities", "{}");
    create(&table, &tenant, &asked).await.unwrap();
    let recorded = async |tenant: &Tenant, request: &RequestIdentity| {
        table.store.recorded_reply(tenant, request).await.unwrap()
    };
    assert!(matches!(
        recorded(&tenant, &asked).await,
        Some(RecordedReply::Reply(_))
    ));
    let other_body = request("/entities", "{\"a\":1}");
    assert_eq!(
        recorded(&tenant, &other_body).await,
        Some(RecordedReply::OtherBody)
    );
    assert_eq!(recorded(&tenant, &request("/tags", "{}")).await, None);
    assert_eq!(
        recorded(
            &tenant,
            &RequestIdentity::new("POST", "/entities", b"other", "{}")
        )
        .await,
        None
    );
    assert_eq!(recorded(&stranger, &asked).await, None);
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
