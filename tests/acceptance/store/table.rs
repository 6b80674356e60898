//! A DynamoDB table for a single test, with its clock and fault injection.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use acceptance::{FaultInjector, Item, items};
use domain::api_key::ApiKey;
use domain::catalogue::{Catalogue, Model};
use domain::check::{Plan, Response};
use domain::check_key::{CheckKey, ShardKey};
use domain::clock::Clock;
use domain::entity::{Entity, TrackingType};
use domain::id::{EntityId, PromptId};
use domain::limits::{DEFAULT_FREQUENCY_HOURS, LEASE};
use domain::locale::{Geolocation, Language};
use domain::ordinal::{CheckNumber, PromptOrdinal};
use domain::prompt::{NewPrompt, PromptText};
use domain::target::Target;
use domain::time::Timestamp;
use domain::workspace::Limits;
use local::Database;
use local::testing::FixedClock;
use store::{
    CheckSegments, Claim, ClaimError, DueItem, DueSubject, IndexEntry, Lease, LeaseError, NewEntity,
    NewWorkspace, ReplyRecorder, Store, StoreError, Tenant, Trigger, WriteError,
};
use uuid::Uuid;

/// Returns what a write did, or why it was refused. Any other error fails the test.
pub(crate) fn refused<T, R: std::fmt::Debug>(written: Result<T, WriteError<R>>) -> Result<T, R> {
    written.map_err(|error| match error {
        WriteError::Refused(refusal) => refusal,
        error => panic!("{error:?}"),
    })
}

/// Returns what a write did, or `None` if it was refused.
pub(crate) fn done<T, R>(written: Result<T, WriteError<R>>) -> Result<Option<T>, StoreError> {
    match written {
        Ok(value) => Ok(Some(value)),
        Err(WriteError::Refused(_)) => Ok(None),
        Err(WriteError::Store(error)) => Err(error),
        Err(WriteError::AlreadyRecorded) => panic!("a conflict of a write without an idempotency key"),
    }
}

/// 2026-03-10T12:00:00Z. A range of 30 days that ends here spans two months.
pub(crate) const NOON: Timestamp = Timestamp::from_millis(1_773_144_000_000);

pub(crate) struct Table {
    pub(crate) store: Store,
    pub(crate) faults: FaultInjector,
    pub(crate) clock: Arc<FixedClock>,
    pub(crate) database: Database,
}

/// Returns a catalogue of two models, which cost one credit and three credits per answer.
pub(crate) fn catalogue() -> Catalogue {
    let model = |id: &str, credits: u32| {
        format!(
            r#"{{"id":"{id}","provider":"openai","model":"{id}","name":"{id}","description":"","credits":{credits}}}"#
        )
    };
    Catalogue::from_json(&format!("[{},{}]", model("small", 1), model("large", 3))).unwrap()
}

/// Returns the UUIDs of the first models of the catalogue.
pub(crate) fn models(count: usize) -> Vec<Uuid> {
    let catalogue = catalogue();
    catalogue.models().iter().map(Model::uuid).take(count).collect()
}

/// Returns limits that are too high to affect a test.
pub(crate) fn no_limits() -> Limits {
    Limits {
        entities: 1_000,
        prompts: 10_000,
        reads_per_minute: 100_000,
        writes_per_minute: 100_000,
        creates_per_hour: 1_000,
        ..Limits::default()
    }
}

pub(crate) fn new_prompts(count: usize) -> Vec<NewPrompt> {
    (1..=count)
        .map(|n| NewPrompt {
            text: PromptText::parse("prompt", &format!("Question {n}?")).unwrap(),
            language: None,
            geolocation: None,
            tags: Vec::new(),
        })
        .collect()
}

pub(crate) fn new_entity(tenant: &Tenant, domain: &str, prompts: usize, models: &[Uuid]) -> NewEntity {
    let target = Target::parse_domain("domain", domain).unwrap();
    NewEntity {
        name: domain.split('.').next().unwrap().to_owned(),
        brand: target.brand_uuid(tenant.workspace(), domain),
        target,
        description: String::new(),
        language: Language::default(),
        geolocation: Geolocation::default(),
        tracking_type: TrackingType::Website,
        models: models.to_vec(),
        prompts: new_prompts(prompts),
        start_tracking: true,
        frequency_hours: DEFAULT_FREQUENCY_HOURS,
    }
}

/// Returns the ids of the first prompts of an entity.
pub(crate) fn prompt_ids(entity: &EntityId, count: u32) -> Vec<PromptId> {
    let entity = || *entity;
    let id = |ordinal| PromptId {
        entity: entity(),
        ordinal,
    };
    (1..=count).map(PromptOrdinal::new).map(id).collect()
}

/// Returns an answered response as a worker records it.
pub(crate) fn answered(prompt: u32, model: u32, text: &str, at: Timestamp) -> Response {
    Response {
        state: domain::answer::ResponseState::Answered,
        text: text.to_owned(),
        reason: None,
        ..Response::failed(prompt.into(), model.into(), "", at)
    }
}

impl Table {
    pub(crate) async fn start() -> Self {
        let clock = Arc::new(FixedClock::frozen(NOON));
        let database = Database::open(None, clock.clone()).unwrap();
        let faults = FaultInjector::default();
        let aws = faults.inject_into(&database.client_config());
        let store = Store::new(&aws, "visibility", clock.clone());
        store.create_table().await.unwrap();
        Self {
            store,
            faults,
            clock,
            database,
        }
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Advances service time and real time.
    pub(crate) fn advance(&self, time: Duration) {
        self.clock.set(self.clock.now() + time);
        self.clock.set_real(self.clock.real_now() + time);
    }

    /// Sets service time and real time back.
    pub(crate) fn set_back(&self, time: Duration) {
        self.clock.set(self.clock.now() - time);
        self.clock.set_real(self.clock.real_now() - time);
    }

    pub(crate) async fn workspace(&self, limits: Limits, credits: i64) -> (Tenant, ApiKey) {
        let new = NewWorkspace {
            name: "Test".to_owned(),
            plan_name: "test".to_owned(),
            limits,
            credits,
        };
        let (tenant, _, key) = self.store.create_workspace(new, self.now()).await.unwrap();
        (tenant, key)
    }

    pub(crate) async fn tenant(&self, credits: i64) -> Tenant {
        self.workspace(no_limits(), credits).await.0
    }

    pub(crate) async fn entity(
        &self,
        tenant: &Tenant,
        domain: &str,
        prompts: usize,
        models: usize,
    ) -> Entity {
        let new = new_entity(tenant, domain, prompts, &self::models(models));
        let created = self
            .store
            .create_entity(tenant, &new, None, &ReplyRecorder::disabled())
            .await;
        created.unwrap().entity
    }

    pub(crate) async fn read_entity(&self, tenant: &Tenant, entity: &EntityId) -> Entity {
        self.store.entity(tenant, entity).await.unwrap().unwrap()
    }

    pub(crate) async fn claim(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        trigger: Trigger,
    ) -> Result<Claim, ClaimError> {
        let claim = self
            .store
            .claim_check(tenant, entity, trigger, &catalogue(), &ReplyRecorder::disabled())
            .await;
        refused(claim)
    }

    /// Claims a check and returns it with its plan.
    pub(crate) async fn claimed(&self, tenant: &Tenant, entity: &EntityId) -> (CheckNumber, Plan) {
        let claim = self.claim(tenant, entity, Trigger::Request).await.unwrap();
        let plan = self.store.plan(tenant, entity, claim.check).await.unwrap();
        (claim.check, plan.unwrap())
    }

    pub(crate) async fn lease(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: CheckNumber,
        shard: u32,
    ) -> Result<Lease, LeaseError> {
        let key = ShardKey {
            check,
            shard: shard.into(),
        };
        let until = self.now() + LEASE;
        let leased = self
            .store
            .lease_shard(tenant, entity, key, Uuid::new_v4(), self.now(), until)
            .await;
        assert!(!matches!(leased, Err(LeaseError::Store(_))), "{leased:?}");
        leased
    }

    /// Returns the entities that a tick at `until` processes, without rereadings.
    pub(crate) async fn due_entities(&self, until: Timestamp) -> Vec<EntityId> {
        let (slots, work) = (self.store.due_slots(until), self.store.due_work(until));
        let due = [slots.await.unwrap(), work.await.unwrap()].concat();
        let entity = |due: DueItem| match due.subject {
            DueSubject::Entity(entity) => Some(entity),
            DueSubject::WorkspaceRereading
            | DueSubject::EntityRereading(_)
            | DueSubject::DeletedWorkspace => None,
        };
        due.into_iter().filter_map(entity).collect()
    }

    /// Adds the segments of a check to the index, without a reading.
    pub(crate) async fn index(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: CheckKey,
        segments: CheckSegments,
    ) {
        let month = check.day.month();
        let seen = self.store.month_index(tenant, entity, month).await.unwrap();
        let entry = IndexEntry {
            segments,
            ..IndexEntry::default()
        };
        let entries = BTreeMap::from([(check, entry)]);
        let indexed = self
            .store
            .index_segments(tenant, entity, check.day, &seen, &entries, None);
        assert!(indexed.await.unwrap());
    }

    /// Returns the balance, the reserved credits, and the total of used credits.
    pub(crate) async fn credits(&self, tenant: &Tenant) -> (i64, i64, i64) {
        let credits = self.store.credits(tenant).await.unwrap();
        (credits.balance, credits.reserved, credits.total_used)
    }

    /// Returns every item of the table by key, including expired items.
    pub(crate) async fn items(&self) -> BTreeMap<(String, String), Item> {
        items(&self.database).await
    }
}
