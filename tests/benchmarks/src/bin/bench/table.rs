//! A table that contains a workload's facts.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use acceptance::HttpInterceptor;
use api::ApiState;
use domain::catalogue::{Catalogue, Model};
use domain::check::Response;
use domain::check_key::CheckKey;
use domain::citation::CanonicalUrl;
use domain::clock::Clock;
use domain::entity::{Entity, TrackingType};
use domain::family::Family;
use domain::id::EntityId;
use domain::limits::DEFAULT_FREQUENCY_HOURS;
use domain::locale::{Geolocation, Language};
use domain::ordinal::{BrandOrdinal, CheckNumber};
use domain::prompt::{NewPrompt, PromptText};
use domain::reading::Reading;
use domain::target::Target;
use domain::time::{DAY, Day, Timestamp};
use domain::workspace::Limits;
use facts::families::encode_check;
use local::testing::FixedClock;
use local::{Database, DatabaseServer};
use store::{FactsKind, IndexEntry, NewEntity, NewWorkspace, ReplyRecorder, Store, Tenant, connect};
use tokio::net::TcpListener;
use uuid::Uuid;

use super::call_recorder::CallRecorder;
use super::market::Market;
use super::workload::Workload;

const NAME: &str = "visibility";
/// The instant 2026-03-10T12:00:00Z. The last 30 days before it are in two months, as is usual.
const NOON: Timestamp = Timestamp::from_millis(1_773_144_000_000);
/// The domain of the measured brand, and those of its competitors.
pub(crate) const BRANDS: [&str; 6] = [
    "acme.com",
    "globex.com",
    "initech.com",
    "umbrella.io",
    "hooli.ai",
    "vandelay.co.uk",
];
/// The number of prompts that one transaction adds.
const PROMPTS_PER_TRANSACTION: usize = 40;

/// A database with a workspace that tracks several brands.
pub(crate) struct Table {
    pub(crate) clock: Arc<FixedClock>,
    pub(crate) catalogue: Arc<Catalogue>,
    pub(crate) tenant: Tenant,
    pub(crate) key: String,
    pub(crate) entity: Entity,
    /// The other entities with facts.
    others: Vec<Entity>,
    /// The number of days with facts.
    pub(crate) days: i32,
    database: DatabaseServer,
    store: Store,
    pub(crate) market: Market,
    /// The ordinals of the brands, the most frequently mentioned first.
    brands: Vec<BrandOrdinal>,
    /// The bytes of the segments of all entities, by family.
    pub(crate) stored_bytes: BTreeMap<Family, usize>,
}

impl Table {
    /// Starts a table with an entity of the workload, which was created today.
    pub(crate) async fn start(workload: &Workload) -> Self {
        let clock = Arc::new(FixedClock::frozen(NOON));
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
        let database = Database::open(None, clock.clone()).and_then(|opened| opened.serve(listener));
        let database = database.expect("a database");
        let store = Store::new(&connect::to_endpoint(&database.endpoint), NAME, clock.clone());
        store.create_table().await.expect("a table");
        let new = NewWorkspace {
            name: "Benchmark".to_owned(),
            plan_name: "benchmark".to_owned(),
            limits: Limits {
                entities: 100,
                creates_per_hour: 1_000,
                prompts: 10_000,
                reads_per_minute: 100_000,
                ..Limits::default()
            },
            credits: 1_000_000,
        };
        let (tenant, _, key) = store.create_workspace(new, NOON).await.expect("a workspace");
        let market = Market::new(workload.prompts, workload.models);
        let catalogue = catalogue();
        let models: Vec<Uuid> = catalogue.models().iter().map(Model::uuid).collect();
        let models = &models[..workload.models as usize];
        for domain in &BRANDS[1..] {
            create(&store, &tenant, domain, models, vec![prompt("Which one?")]).await;
        }
        let entity = create_of_workload(&store, &tenant, BRANDS[0], models, &market, workload).await;
        let known = store.brands(&tenant).await.expect("a table");
        let ordinal = |domain: &&str| {
            let of_domain = |brand: &&domain::brand::Brand| brand.domain.as_deref() == Some(*domain);
            known.values().find(of_domain).expect("a tracked brand").ordinal
        };
        // The measured brand is the second most frequently mentioned.
        let mut brands: Vec<BrandOrdinal> = BRANDS.iter().map(ordinal).collect();
        brands.swap(0, 1);
        Self {
            clock,
            catalogue: Arc::new(catalogue),
            tenant,
            key: key.reveal().to_owned(),
            entity,
            others: Vec::new(),
            days: 0,
            database,
            store,
            market,
            brands,
            stored_bytes: BTreeMap::new(),
        }
    }

    /// Tracks another brand, with one prompt.
    pub(crate) async fn track(&self, domain: &str) {
        let models = &self.entity.models;
        create(
            &self.store,
            &self.tenant,
            domain,
            models,
            vec![prompt("Which one?")],
        )
        .await;
    }

    /// Tracks as many other brands with the prompts of the workload, which were created this number of days
    /// ago. They get facts as well.
    pub(crate) async fn track_like(&mut self, workload: &Workload, count: usize, days_ago: u32) {
        self.clock.set(NOON - days_ago * DAY);
        for number in 1..=count {
            let domain = format!("brand{number}.example");
            let models = &self.entity.models;
            let created =
                create_of_workload(&self.store, &self.tenant, &domain, models, &self.market, workload).await;
            self.others.push(created);
        }
        self.clock.set(NOON);
    }

    /// Adds the facts of earlier days until there are `days` days.
    pub(crate) async fn add_days(&mut self, days: i32) {
        for back in self.days..days {
            let day = NOON.day().plus_days(-back);
            let check = CheckKey {
                day,
                check: CheckNumber::new(u32::try_from(400 - back).expect("a check")),
            };
            let responses = self.market.day(day, &self.brands);
            self.add_facts(&self.entity.id.clone(), check, &responses).await;
            for other in self.others.clone() {
                let mut brands = self.brands.clone();
                brands[1] = other.brand_ordinal;
                let responses = self.market.day(day, &brands);
                self.add_facts(&other.id, check, &responses).await;
            }
            let domains: BTreeSet<String> = responses
                .iter()
                .flat_map(|response| &response.citations)
                .filter_map(|cited| CanonicalUrl::parse(&cited.url))
                .map(|url| url.registrable().to_owned())
                .collect();
            // The latest day comes first, because its domains expire last.
            self.store
                .record_cited_domains(&self.tenant, domains, day)
                .await
                .expect("domains are recorded");
        }
        self.days = self.days.max(days);
    }

    async fn add_facts(&mut self, id: &EntityId, check: CheckKey, responses: &[Response]) {
        let tenant = &self.tenant;
        let encoded = encode_check(responses);
        for (family, bytes) in [
            (Family::Visibility, encoded.visibility.len()),
            (Family::Citations, encoded.citations.len()),
            (Family::Fanouts, encoded.fanouts.len()),
            (Family::Responses, encoded.responses.len()),
            (Family::Links, encoded.links.iter().map(Vec::len).sum()),
        ] {
            *self.stored_bytes.entry(family).or_default() += bytes;
        }
        let facts = self
            .store
            .put_facts(tenant, id, check, encoded.buckets(), FactsKind::Final)
            .await;
        let entry = IndexEntry {
            segments: facts.expect("facts are written"),
            reading: Some(Reading::of(&[])),
            ..IndexEntry::default()
        };
        let month = self.store.month_index(tenant, id, check.day.month()).await;
        let month = month.expect("an index");
        let entries = BTreeMap::from([(check, entry)]);
        let indexed = self
            .store
            .index_segments(tenant, id, check.day, &month, &entries, None);
        assert!(indexed.await.expect("facts are indexed"));
    }

    pub(crate) fn today(&self) -> Day {
        self.clock.now().day()
    }

    /// Creates the state of API functions whose calls to the table pass `recorder`.
    pub(crate) fn app(&self, recorder: &CallRecorder) -> ApiState {
        let aws = recorder.wrap(&connect::to_endpoint(&self.database.endpoint));
        ApiState {
            store: Store::new(&aws, NAME, self.clock.clone()),
            clock: self.clock.clone(),
            catalogue: self.catalogue.clone(),
            cors: Arc::default(),
            known_keys: Arc::default(),
        }
    }
}

/// Returns a catalogue of six models, the cheapest first.
fn catalogue() -> Catalogue {
    let model = |n| {
        format!(
            r#"{{"id":"m{n}","provider":"openai","model":"m{n}","name":"Model {n}","description":"","credits":{n}}}"#
        )
    };
    let models: Vec<String> = (1..=6).map(model).collect();
    Catalogue::from_json(&format!("[{}]", models.join(","))).expect("a catalogue")
}

fn prompt(text: &str) -> NewPrompt {
    NewPrompt {
        text: PromptText::parse("prompt", text).expect("a prompt"),
        language: None,
        geolocation: None,
        tags: Vec::new(),
    }
}

/// Creates an entity with the prompts of a workload.
async fn create_of_workload(
    store: &Store,
    tenant: &Tenant,
    domain: &str,
    models: &[Uuid],
    market: &Market,
    workload: &Workload,
) -> Entity {
    let mut prompts = (1..=workload.prompts).map(|n| prompt(&market.prompt(n)));
    let first = prompts.by_ref().take(PROMPTS_PER_TRANSACTION).collect();
    let entity = create(store, tenant, domain, models, first).await;
    loop {
        let more: Vec<NewPrompt> = prompts.by_ref().take(PROMPTS_PER_TRANSACTION).collect();
        if more.is_empty() {
            return entity;
        }
        let added = store
            .add_prompts(tenant, &entity.id, &more, &ReplyRecorder::disabled())
            .await;
        added.expect("room for prompts");
    }
}

async fn create(
    store: &Store,
    tenant: &Tenant,
    domain: &str,
    models: &[Uuid],
    prompts: Vec<NewPrompt>,
) -> Entity {
    let target = Target::parse_domain("domain", domain).expect("a domain");
    let new = NewEntity {
        name: domain.split('.').next().unwrap_or_default().to_owned(),
        brand: target.brand_uuid(tenant.workspace(), domain),
        target,
        description: String::new(),
        language: Language::default(),
        geolocation: Geolocation::default(),
        tracking_type: TrackingType::Website,
        models: models.to_vec(),
        prompts,
        start_tracking: true,
        frequency_hours: DEFAULT_FREQUENCY_HOURS,
    };
    let created = store
        .create_entity(tenant, &new, None, &ReplyRecorder::disabled())
        .await;
    created.expect("room for an entity").entity
}
