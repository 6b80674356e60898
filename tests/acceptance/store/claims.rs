//! Each slot is claimed once and reserves its credits once.

use domain::check::EndState;
use domain::limits::MAX_CHECKS_PER_DAY;
use domain::time::HOUR;
use store::{CheckOutcome, ClaimError, Tenant, Trigger};

use super::table::{NOON, Table};

/// Makes concurrent claims and returns the checks that were claimed.
async fn claims(
    table: &Table,
    tenant: &Tenant,
    entity: &domain::id::EntityId,
    trigger: Trigger,
    count: usize,
) -> Vec<u32> {
    let claims = (0..count).map(|_| table.claim(tenant, entity, trigger));
    let results = futures::future::join_all(claims).await;
    for refused in results.iter().filter_map(|r| r.as_ref().err()) {
        assert!(
            matches!(refused, ClaimError::Running | ClaimError::NotDue),
            "{refused:?}"
        );
    }
    results
        .into_iter()
        .filter_map(Result::ok)
        .map(|c| c.check.get())
        .collect()
}

#[tokio::test]
async fn one_of_many_claims_of_a_slot_gets_it_and_the_credits_are_reserved_once() {
    let table = Table::start().await;
    let tenant = table.tenant(1_000).await;
    let entity = table.entity(&tenant, "acme.com", 5, 2).await;
    assert_eq!(
        claims(&table, &tenant, &entity.id, Trigger::Schedule, 20).await,
        [1]
    );
    assert_eq!(table.credits(&tenant).await, (980, 20, 0));
    let seen = table.read_entity(&tenant, &entity.id).await;
    assert_eq!(seen.next_check_at, Some(NOON + 24 * HOUR));
    assert_eq!(seen.check_seq, 1.into());
    let checks = table.items().await;
    let checks = checks.keys().filter(|(_, sk)| sk.starts_with("CHECK#")).count();
    assert_eq!(checks, 2, "one check and its plan");
}

#[tokio::test]
async fn concurrent_claims_of_two_entities_reserve_the_credits_of_both() {
    let table = Table::start().await;
    let tenant = table.tenant(100).await;
    let mut entities = Vec::new();
    for n in 0..6 {
        entities.push(table.entity(&tenant, &format!("site{n}.com"), 3, 2).await.id);
    }
    let claims = entities
        .iter()
        .map(|id| table.claim(&tenant, id, Trigger::Schedule));
    let results = futures::future::join_all(claims).await;
    assert!(results.iter().all(Result::is_ok), "{results:?}");
    assert_eq!(table.credits(&tenant).await, (28, 72, 0));
}

#[tokio::test]
async fn credits_for_one_check_start_one_of_two() {
    let table = Table::start().await;
    let tenant = table.tenant(15).await;
    let a = table.entity(&tenant, "a.com", 3, 2).await.id;
    let b = table.entity(&tenant, "b.com", 3, 2).await.id;
    let results = futures::future::join(
        table.claim(&tenant, &a, Trigger::Request),
        table.claim(&tenant, &b, Trigger::Request),
    )
    .await;
    let lost = match results {
        (Ok(_), Err(lost)) | (Err(lost), Ok(_)) => lost,
        both => panic!("{both:?}"),
    };
    assert_eq!(
        lost,
        ClaimError::NoCredits {
            needed: 12,
            balance: 3
        }
    );
    assert_eq!(table.credits(&tenant).await, (3, 12, 0));
}

#[tokio::test]
async fn a_slot_without_credits_is_skipped_and_states_the_reason() {
    let table = Table::start().await;
    let tenant = table.tenant(3).await;
    let entity = table.entity(&tenant, "acme.com", 4, 1).await;
    let refused = ClaimError::NoCredits {
        needed: 4,
        balance: 3,
    };
    assert_eq!(
        table.claim(&tenant, &entity.id, Trigger::Schedule).await,
        Err(refused)
    );
    let seen = table.read_entity(&tenant, &entity.id).await;
    assert_eq!(seen.next_check_at, Some(NOON + 24 * HOUR));
    assert_eq!(seen.problems.len(), 1);
    assert!(
        seen.problems[0].reason.contains("4 credits"),
        "{:?}",
        seen.problems
    );
    assert_eq!(table.credits(&tenant).await, (3, 0, 0));

    let more = store::WorkspaceUpdate {
        add_credits: Some(1),
        ..store::WorkspaceUpdate::default()
    };
    table.store.update_workspace(&tenant, more).await.unwrap();
    table.advance(24 * HOUR);
    assert!(table.claim(&tenant, &entity.id, Trigger::Schedule).await.is_ok());
    let seen = table.read_entity(&tenant, &entity.id).await;
    assert!(seen.problems.is_empty(), "it is over");
}

#[tokio::test]
async fn requested_checks_are_limited_per_day_and_the_schedule_continues() {
    let table = Table::start().await;
    let tenant = table.tenant(10_000).await;
    let entity = table.entity(&tenant, "acme.com", 1, 1).await.id;
    let check = async |trigger| {
        let claim = table.claim(&tenant, &entity, trigger).await?;
        let store = &table.store;
        let check = store.check(&tenant, &entity, claim.check).await.unwrap().unwrap();
        let finish = CheckOutcome {
            end: EndState::Complete,
            used: 0,
            problems: Vec::new(),
            events: Vec::new(),
            credits_per_day: None,
            alerted_on: None,
        };
        let done = store.finish_check(&tenant, &entity, &check, &finish, table.now());
        assert!(done.await.unwrap());
        Ok(())
    };
    for _ in 0..MAX_CHECKS_PER_DAY {
        assert_eq!(check(Trigger::Request).await, Ok(()));
    }
    assert_eq!(check(Trigger::Request).await, Err(ClaimError::TooMany));
    assert_eq!(check(Trigger::Schedule).await, Ok(()));
    assert_eq!(check(Trigger::Request).await, Err(ClaimError::TooMany));
    table.advance(24 * HOUR);
    assert_eq!(check(Trigger::Request).await, Ok(()));
}
