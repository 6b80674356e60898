//! The first recorded answer to a question wins and is charged once.

use domain::check::Plan;
use domain::check_key::CheckKey;
use domain::id::{EntityId, ResponseId};
use domain::limits::LEASE;
use domain::ordinal::{CheckNumber, PromptOrdinal};
use domain::time::HOUR;
use store::{Lease, Tenant};

use super::table::{Table, answered};

struct Check {
    tenant: Tenant,
    entity: EntityId,
    check: CheckNumber,
    plan: Plan,
}

impl Check {
    async fn start(table: &Table, prompts: usize) -> Self {
        let tenant = table.tenant(1_000).await;
        let entity = table.entity(&tenant, "acme.com", prompts, 1).await.id;
        let (check, plan) = table.claimed(&tenant, &entity).await;
        Self {
            tenant,
            entity,
            check,
            plan,
        }
    }

    async fn lease(&self, table: &Table) -> Lease {
        table
            .lease(&self.tenant, &self.entity, self.check, 0)
            .await
            .unwrap()
    }

    async fn texts(&self, table: &Table) -> Vec<(u32, String)> {
        let mut texts = Vec::new();
        for prompt in &self.plan.prompts {
            let id = ResponseId {
                entity: self.entity,
                day: super::table::NOON.day(),
                check: self.check,
                prompt: *prompt,
                model: 0.into(),
            };
            let response = table.store.response(&self.tenant, &id).await.unwrap();
            texts.extend(response.map(|r| (r.prompt.get(), r.text)));
        }
        texts
    }
}

#[tokio::test]
async fn a_recorded_response_is_read_back_with_its_narration() {
    let table = Table::start().await;
    let check = Check::start(&table, 1).await;
    let lease = check.lease(&table).await;
    let mut response = answered(1, 0, "Acme is good.", table.now());
    response.narration = vec!["Let me look.".to_owned()];
    let (store, day) = (&table.store, table.now().day());
    assert!(
        store
            .record_responses(&lease, day, vec![response.clone()])
            .await
            .unwrap()
    );
    let id = ResponseId {
        entity: check.entity,
        day,
        check: check.check,
        prompt: response.prompt,
        model: response.model,
    };
    assert_eq!(store.response(&check.tenant, &id).await.unwrap(), Some(response));
}

#[tokio::test]
async fn the_first_of_two_workers_that_answer_the_same_questions_wins() {
    let table = Table::start().await;
    let check = Check::start(&table, 4).await;
    let day = table.now().day();
    let first = check.lease(&table).await;
    table.advance(LEASE);
    let second = check.lease(&table).await;
    let of = |who: &str, prompts: std::ops::RangeInclusive<u32>| {
        prompts
            .map(|p| answered(p, 0, &format!("{who} {p}"), table.now()))
            .collect::<Vec<_>>()
    };
    assert!(
        table
            .store
            .record_responses(&second, day, of("second", 1..=2))
            .await
            .unwrap()
    );
    assert!(
        table
            .store
            .record_responses(&first, day, of("first", 2..=4))
            .await
            .unwrap()
    );
    assert!(
        table
            .store
            .record_responses(&second, day, of("late", 1..=4))
            .await
            .unwrap()
    );
    let expected = ["second 1", "second 2", "first 3", "first 4"];
    let expected: Vec<(u32, String)> = (1..).zip(expected.map(str::to_owned)).collect();
    assert_eq!(check.texts(&table).await, expected);
    let shard = table
        .store
        .shards(&check.tenant, &check.entity, check.check)
        .await
        .unwrap()
        .remove(0);
    let recorded: Vec<u32> = shard.recorded.into_iter().map(PromptOrdinal::get).collect();
    assert_eq!(recorded, [1, 2, 3, 4]);
}

#[tokio::test]
async fn a_closed_shard_accepts_no_answer_and_accounts_for_each_open_question() {
    let table = Table::start().await;
    let check = Check::start(&table, 3).await;
    let (store, day) = (&table.store, table.now().day());
    let lease = check.lease(&table).await;
    let paid = vec![answered(2, 0, "paid", table.now())];
    assert!(store.record_responses(&lease, day, paid).await.unwrap());
    table.advance(2 * HOUR);
    let key = CheckKey {
        day,
        check: check.check,
    };
    for _ in 0..2 {
        store
            .close_shards(&check.tenant, &check.entity, key, &check.plan, table.now())
            .await
            .unwrap();
    }
    let late = vec![answered(1, 0, "late", table.now())];
    assert!(!store.record_responses(&lease, day, late).await.unwrap());
    assert!(!store.finish_shard(&lease).await.unwrap());
    let responses = store
        .responses_of(&check.tenant, &check.entity, key)
        .await
        .unwrap();
    let states: Vec<_> = responses
        .iter()
        .map(|r| (r.prompt.get(), r.reason.as_deref()))
        .collect();
    let reason = Some("No answer before the check's deadline");
    assert_eq!(states, [(1, reason), (2, None), (3, reason)]);
}
