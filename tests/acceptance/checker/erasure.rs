//! What a deleted entity or workspace had is erased, wherever the process crashes and whatever writes late.

use std::collections::BTreeMap;
use std::time::Duration;

use acceptance::{Fault, Item};
use domain::check_key::ShardKey;
use domain::family::Family;
use domain::id::EntityId;
use domain::limits::ERASURE_REPETITION;
use domain::member::{Member, Role};
use domain::tag::TagName;
use domain::time::{MINUTE, SECOND};
use store::{AuthError, FactsKind, KeySettings, LeaseError, Rate, ReplyRecorder, Tenant, WorkspaceUpdate};

use super::fixture::{CREDITS, CheckerFixture, FIRST_CHECK, default_answer, first_check};
use crate::store::table::{answered, no_limits};

/// The time within which everything has its end.
const HOUR: Duration = Duration::from_secs(3_600);
/// The crashes of each phase of an erasure, one at each call to the table.
const CRASHES: usize = 45;

type Items = BTreeMap<(String, String), Item>;

/// Returns whether an item names this id in its key or belongs to the workspace with this id.
fn names(id: &str, (partition, sort): &(String, String), item: &Item) -> bool {
    let owner = item.get("workspace").and_then(|owner| owner.as_s().ok());
    partition.split('#').chain(sort.split('#')).any(|part| part == id)
        || owner.is_some_and(|owner| owner == id)
}

/// Returns whether a partition has the facts of an entity, or their index.
fn is_of_facts(partition: &str) -> bool {
    partition.contains("#F#") || partition.ends_with("#F")
}

impl CheckerFixture {
    /// Starts a fixture in which this workspace, which has two entities, and another one have complete
    /// checks.
    async fn with_complete_checks() -> (Self, EntityId, Tenant) {
        let fixture = Self::start(4, default_answer).await;
        let second = fixture.table.entity(&fixture.tenant, "second.com", 3, 1).await.id;
        let other = fixture.table.tenant(CREDITS).await;
        fixture.table.entity(&other, "acme.com", 3, 2).await;
        for _ in 0..4 {
            fixture.tick_and_deliver().await;
            fixture.table.advance(MINUTE);
        }
        let items = fixture.table.items().await;
        let facts = items.keys().filter(|(partition, _)| partition.contains("#F#"));
        assert!(facts.count() >= 15, "each entity has facts of five families");
        (fixture, second, other)
    }

    async fn tick_and_deliver(&self) {
        self.tick().await;
        self.deliver_published().await;
    }

    /// Runs the tick and its steps as often as the process can crash in them, and kills it at another call
    /// each time.
    async fn tick_with_crashes(&self) {
        for call in 1..=CRASHES {
            let fault = if call % 2 == 0 {
                Fault::CrashAfter
            } else {
                Fault::CrashBefore
            };
            let mut calls = 0;
            self.table.faults.script(move |_| {
                calls += 1;
                (calls == call).then_some(fault)
            });
            let crashed = self.table.faults.crashed();
            tokio::select! {
                () = crashed => {}
                () = self.tick_and_deliver() => {}
            }
            self.table.faults.none();
            self.table.advance(SECOND);
        }
    }

    /// Ticks until nothing is due any more, for less than an hour.
    async fn tick_until_erased(&self) {
        for _ in 0..3 {
            self.tick_and_deliver().await;
            self.table.advance(ERASURE_REPETITION + SECOND);
        }
        self.tick_and_deliver().await;
    }

    async fn items_naming(&self, id: &str) -> Items {
        let items = self.table.items().await.into_iter();
        items.filter(|(key, item)| names(id, key, item)).collect()
    }

    /// Asserts that whatever is left of this id ends within the hour.
    async fn assert_erased(&self, id: &str) {
        let until = (self.table.now() + HOUR).ttl_seconds();
        for (key, item) in self.items_naming(id).await {
            let expires = item.get("expiresAt").and_then(|at| at.as_n().ok());
            let expires: Option<i64> = expires.map(|at| at.parse().unwrap());
            assert!(expires.is_some_and(|at| at <= until), "{key:?} {expires:?}");
            assert!(!item.contains_key("dueSK"), "{key:?} is due");
        }
    }
}

#[tokio::test]
async fn a_deleted_entity_is_erased_wherever_the_process_crashes_and_nothing_else_is() {
    let (fixture, second, other) = CheckerFixture::with_complete_checks().await;
    let entity = fixture.entity;
    let untouched = [second.as_str(), other.workspace().as_str()];
    let before = [
        fixture.items_naming(untouched[0]).await,
        fixture.items_naming(untouched[1]).await,
    ];
    fixture
        .table
        .store
        .delete_entity(&fixture.tenant, &entity)
        .await
        .unwrap();
    fixture.tick_with_crashes().await;
    fixture.table.advance(ERASURE_REPETITION);
    fixture.tick_with_crashes().await;
    fixture.tick_until_erased().await;

    fixture.assert_erased(entity.as_str()).await;
    let left = fixture.items_naming(entity.as_str()).await;
    assert!(!left.keys().any(|(partition, _)| partition.contains("#R#")));
    assert!(!left.keys().any(|(partition, _)| is_of_facts(partition)));
    let store = &fixture.table.store;
    let gone = store.entity_or_deleted(&fixture.tenant, &entity).await.unwrap();
    assert!(gone.is_none());
    let reread = |item: &((String, String), Item)| item.0.1 == "REREAD";
    for (id, before) in untouched.iter().zip(before) {
        let without_rereading = |items: Items| -> Vec<_> {
            // The names of the workspace have changed, so the answers of its other entities are read again.
            items.into_iter().filter(|item| !reread(item)).collect()
        };
        let after = fixture.items_naming(id).await;
        if *id == second.as_str() {
            let keys = |items: Vec<((String, String), Item)>| -> Vec<_> {
                items
                    .into_iter()
                    .map(|(key, _)| key)
                    .filter(|(partition, _)| !is_of_facts(partition))
                    .collect()
            };
            assert_eq!(keys(without_rereading(after)), keys(without_rereading(before)));
        } else {
            assert_eq!(after, before);
        }
    }
}

#[tokio::test]
async fn what_is_written_late_to_a_deleted_entity_is_refused_or_found_by_the_last_pass() {
    let fixture = CheckerFixture::start(30, default_answer).await;
    fixture.claim_due_check().await;
    let (table, tenant, entity) = (&fixture.table, &fixture.tenant, &fixture.entity);
    let store = &table.store;
    let lease = fixture.take_up_shard(0).await;
    store.delete_entity(tenant, entity).await.unwrap();
    fixture.tick_and_deliver().await;

    // A worker that was held up records nothing, and no other worker gets a shard.
    let answers = vec![answered(1, 0, "late", table.now())];
    let day = table.now().day();
    assert!(!store.record_responses(&lease, day, answers).await.unwrap());
    for shard in 0..2 {
        let leased = table.lease(tenant, entity, FIRST_CHECK, shard).await;
        assert!(matches!(leased, Err(LeaseError::Ended)), "{shard}");
    }
    // A fold that was held up writes facts, their index and a request to read them again.
    let (key, family) = (first_check(), Family::Visibility);
    let put = store.put_segment(tenant, entity, family, key, &[b"late"], FactsKind::Final);
    let segments = [(family, put.await.unwrap())].into();
    table.index(tenant, entity, key, segments).await;
    store
        .request_rereading(tenant, Some(entity), None, table.now())
        .await
        .unwrap();
    // A lease of a shard whose item is gone.
    let lost = ShardKey {
        check: 7.into(),
        shard: 0.into(),
    };
    let (now, owner) = (table.now(), uuid::Uuid::new_v4());
    store
        .lease_shard(tenant, entity, lost, owner, now, now + MINUTE)
        .await
        .unwrap();
    let asked = fixture.ask_count();
    assert!(store.entity_or_deleted(tenant, entity).await.unwrap().is_some());

    table.advance(ERASURE_REPETITION + SECOND);
    fixture.tick_and_deliver().await;
    fixture.assert_erased_children(entity).await;
    // Because that pass has found something, there is one more.
    assert!(store.entity_or_deleted(tenant, entity).await.unwrap().is_some());
    fixture.tick_until_erased().await;
    assert!(store.entity_or_deleted(tenant, entity).await.unwrap().is_none());
    fixture.assert_erased(entity.as_str()).await;
    assert_eq!(fixture.ask_count(), asked, "nothing is asked any more");
    let credits = store.credits(tenant).await.unwrap();
    assert_eq!((credits.balance, credits.reserved), (CREDITS, 0));
}

impl CheckerFixture {
    /// Asserts that everything in the partitions of an entity ends within the hour.
    async fn assert_erased_children(&self, entity: &EntityId) {
        let until = (self.table.now() + HOUR).ttl_seconds();
        for ((partition, sort), item) in self.table.items().await {
            if partition.contains(entity.as_str()) {
                let expires: i64 = item["expiresAt"].as_n().unwrap().parse().unwrap();
                assert!(expires <= until, "{partition} {sort}");
            }
        }
    }
}

#[tokio::test]
async fn a_deleted_workspace_is_erased_wherever_the_process_crashes_and_no_other_one_is() {
    let (fixture, second, other) = CheckerFixture::with_complete_checks().await;
    let (table, tenant) = (&fixture.table, &fixture.tenant);
    let store = &table.store;
    let now = table.now();
    let created = store.create_key(tenant, "more", KeySettings::default(), now);
    let (_, key) = created.await.unwrap().unwrap();
    let member = Member::new(tenant.workspace(), "a@b.com", "Ada", Role::Owner, now).unwrap();
    store.add_member(tenant, &member).await.unwrap();
    let tag = TagName::parse("name", "Shoes").unwrap();
    store
        .create_tag(tenant, &tag, &ReplyRecorder::disabled())
        .await
        .unwrap();
    // A check is running while the workspace is deleted.
    let claim = table.claimed(tenant, &second).await;
    table.lease(tenant, &second, claim.0, 0).await.unwrap();
    let before = fixture.items_naming(other.workspace().as_str()).await;
    assert!(store.authenticate(&key, Rate::Read, now).await.is_ok());

    // The command is interrupted by a crash at each of its calls, and repeated.
    for call in 1..=25 {
        let mut calls = 0;
        table.faults.script(move |_| {
            calls += 1;
            (calls == call).then_some(Fault::CrashBefore)
        });
        let crashed = table.faults.crashed();
        tokio::select! {
            () = crashed => {}
            deleted = store.delete_workspace(tenant) => assert!(deleted.unwrap().is_some()),
        }
        table.faults.none();
    }
    let deleted = store.delete_workspace(tenant).await.unwrap().unwrap();
    assert_eq!((deleted.keys, deleted.entities), (2, 2));
    assert_eq!(deleted.deleted_at, now);
    let refused = store.authenticate(&key, Rate::Read, now).await;
    assert!(matches!(refused, Err(AuthError::Deactivated)), "{refused:?}");
    assert!(store.workspace(tenant).await.unwrap().is_none());
    assert!(store.entities(tenant).await.unwrap().is_empty());
    let none = store.create_key(tenant, "late", KeySettings::default(), now);
    assert!(none.await.unwrap().is_none());
    let reactivation = WorkspaceUpdate {
        entities: Some(no_limits().entities),
        ..WorkspaceUpdate::default()
    };
    assert!(!store.update_workspace(tenant, reactivation).await.unwrap());

    fixture.tick_with_crashes().await;
    table.advance(ERASURE_REPETITION);
    fixture.tick_with_crashes().await;
    fixture.tick_until_erased().await;
    assert!(table.now() < now + HOUR + 10 * MINUTE);
    fixture.assert_erased(tenant.workspace().as_str()).await;
    let left = fixture.items_naming(tenant.workspace().as_str()).await;
    assert!(left.keys().all(|(partition, sort)| {
        sort == "WORKSPACE"
            || sort.starts_with("ENTITY#")
            || !partition.ends_with(tenant.workspace().as_str())
    }));
    let refused = store.authenticate(&key, Rate::Read, now).await;
    assert!(matches!(refused, Err(AuthError::Unknown)), "{refused:?}");
    assert!(store.delete_workspace(tenant).await.unwrap().is_none());
    assert!(table.due_entities(table.now()).await.is_empty());
    assert_eq!(fixture.items_naming(other.workspace().as_str()).await, before);
}
