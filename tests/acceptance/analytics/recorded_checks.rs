//! Checks whose responses are recorded through the store, without asking a provider.

use acceptance::{Account, World};
use domain::answer::{Citation, ResponseState};
use domain::cell::Cell;
use domain::check::{CheckState, Plan, Response};
use domain::check_key::{CheckKey, ShardKey};
use domain::clock::Clock;
use domain::id::{EntityId, ResponseId};
use domain::limits::{LEASE, MAX_ANSWERS_PER_WRITE};
use domain::ordinal::{ModelOrdinal, PromptOrdinal};
use domain::time::Timestamp;
use events::{CheckEvent, CheckRef};
use store::{ReplyRecorder, Trigger};
use uuid::Uuid;

/// Records a complete check with a response from `answer` for each prompt and model, and returns its key.
pub(crate) async fn record_check(
    world: &World,
    account: &Account,
    entity: &str,
    mut answer: impl FnMut(&Plan, Cell, Timestamp) -> Response,
) -> CheckKey {
    let (host, tenant) = (&world.host, &account.tenant);
    let (store, id): (_, EntityId) = (&host.store, entity.parse().unwrap());
    let catalogue = &host.dependencies.api.catalogue;
    let once = ReplyRecorder::disabled();
    let claim = store.claim_check(tenant, &id, Trigger::Request, catalogue, &once);
    let number = claim.await.unwrap().check;
    let check = store.check(tenant, &id, number).await.unwrap().unwrap();
    let plan = store.plan(tenant, &id, number).await.unwrap().unwrap();
    for shard in plan.shard_numbers() {
        let questions = plan.shard(shard).unwrap();
        let now = host.clock.now();
        let key = ShardKey { check: number, shard };
        let lease = store.lease_shard(tenant, &id, key, Uuid::new_v4(), now, now + LEASE);
        let lease = lease.await.unwrap();
        let model = questions.model.ordinal;
        let answers: Vec<Response> = questions
            .prompts
            .iter()
            .map(|prompt| {
                let cell = Cell {
                    prompt: *prompt,
                    model,
                };
                let mut response = answer(&plan, cell, check.claimed_at);
                response.reading = Some(plan.reading());
                response
            })
            .collect();
        for some in answers.chunks(MAX_ANSWERS_PER_WRITE) {
            let taken = store.record_responses(&lease, check.day(), some.to_vec()).await;
            assert!(taken.unwrap());
        }
        assert!(store.finish_shard(&lease).await.unwrap());
    }
    let answered = CheckEvent::CheckAnswered(CheckRef {
        workspace_id: *tenant.workspace(),
        entity_id: id,
        check: number,
    });
    host.bus.publish(&[answered]).await.unwrap();
    host.queues.wait_until_idle().await;
    let mut ended = store.check(tenant, &id, number).await.unwrap().unwrap();
    for _ in 0..3 {
        if ended.state != CheckState::Running {
            break;
        }
        world.retry_failed_steps(account, entity).await;
        host.queues.wait_until_idle().await;
        ended = store.check(tenant, &id, number).await.unwrap().unwrap();
    }
    assert_eq!(ended.state, CheckState::Complete);
    check.key()
}

/// Records a check whose answers mention every brand, cite and search, and returns the id of its first
/// response.
pub(crate) async fn record_answered_check(world: &World, account: &Account, entity: &str) -> String {
    let cited = Citation {
        url: "https://example.com/a".to_owned(),
        title: Some("A".to_owned()),
        ..Default::default()
    };
    let answer = |plan: &Plan, cell: Cell, at| Response {
        state: ResponseState::Answered,
        text: "An answer.".to_owned(),
        citations: vec![cited.clone()],
        queries: vec!["which tool".to_owned()],
        brands: plan.brands.iter().map(|brand| brand.ordinal).collect(),
        reason: None,
        ..Response::failed(cell.prompt, cell.model, "", at)
    };
    let check = record_check(world, account, entity, answer).await;
    let first = ResponseId {
        entity: entity.parse().unwrap(),
        day: check.day,
        check: check.check,
        prompt: PromptOrdinal::new(1),
        model: ModelOrdinal::new(0),
    };
    first.to_string()
}
