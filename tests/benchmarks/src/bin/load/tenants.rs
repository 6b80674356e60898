//! Creates the workspaces and entities of a run directly in the host's table.

use std::sync::Arc;

use acceptance::brand_name;
use domain::answer::ResponseState;
use domain::catalogue::{Catalogue, Model};
use domain::entity::{Entity, TrackingType};
use domain::limits::DEFAULT_FREQUENCY_HOURS;
use domain::locale::{Geolocation, Language};
use domain::prompt::{NewPrompt, PromptText};
use domain::target::Target;
use domain::time::Timestamp;
use domain::workspace::Limits;
use futures::{StreamExt, TryStreamExt};
use local::testing::FixedClock;
use store::{NewEntity, NewWorkspace, ReplyRecorder, Store, StoreError, Tenant, connect};

use crate::arguments::{Arguments, MODELS};
use crate::host::Host;

/// The credits of each workspace.
const CREDITS: i64 = 1_000_000_000;
/// The number of workspaces that are filled concurrently.
const CONCURRENT_WORKSPACES: usize = 8;

/// The workspaces of a run.
pub(crate) struct LoadWorkspaces {
    pub(crate) store: Store,
    pub(crate) tenants: Vec<Tenant>,
    /// The price of one answer of each model, in credits.
    pub(crate) price: i64,
}

/// The totals over all checks.
#[derive(Debug, Default)]
pub(crate) struct RecordedTotals {
    pub(crate) answered: usize,
    /// Refused and failed responses.
    pub(crate) others: usize,
    /// Credits that were charged.
    pub(crate) used: i64,
    /// Credits that are still reserved.
    pub(crate) reserved: i64,
}

impl LoadWorkspaces {
    /// Creates all workspaces and entities. All checks are due at `due`.
    pub(crate) async fn create(host: &Host, arguments: &Arguments, due: Timestamp) -> Self {
        // An entity's first check is due when the entity is created. On this clock, that is in the future.
        let clock = Arc::new(FixedClock::frozen(due));
        let store = Store::new(&connect::to_endpoint(&host.dynamodb_endpoint), &host.table, clock);
        let catalogue = Catalogue::shipped()
            .expect("a catalogue")
            .for_providers(["openai"]);
        let models: Vec<&Model> = catalogue.models().iter().take(MODELS).collect();
        assert_eq!(models.len(), MODELS, "the catalogue has enough models");
        let share = |workspace: usize| {
            let from = |n: usize| n * arguments.entities / arguments.workspaces;
            from(workspace)..from(workspace + 1)
        };
        let filled = futures::stream::iter(0..arguments.workspaces).map(async |workspace| {
            let new = NewWorkspace {
                name: format!("Workspace {workspace}"),
                plan_name: "load".to_owned(),
                limits: Limits {
                    entities: 100_000,
                    prompts: 10_000_000,
                    creates_per_hour: 100_000,
                    ..Limits::default()
                },
                credits: CREDITS,
            };
            let (tenant, _, _) = store.create_workspace(new, due).await?;
            for (index, number) in share(workspace).enumerate() {
                let new = entity(&tenant, index, number, arguments.prompts, &models);
                let created = store
                    .create_entity(&tenant, &new, None, &ReplyRecorder::disabled())
                    .await;
                created.expect("room for an entity");
            }
            Ok::<_, StoreError>(tenant)
        });
        let tenants = filled.buffered(CONCURRENT_WORKSPACES).try_collect().await;
        Self {
            tenants: tenants.expect("the table accepts all writes"),
            price: models.iter().map(|model| i64::from(model.credits)).sum(),
            store,
        }
    }

    /// Returns the entities of a workspace if all their checks are complete.
    pub(crate) async fn entities_if_checked(&self, tenant: &Tenant) -> Option<Vec<Entity>> {
        let entities = self.store.entities(tenant).await.expect("the table");
        let is_done = |entity: &Entity| entity.running.is_none() && entity.last_check.is_some();
        entities.iter().all(is_done).then_some(entities)
    }

    /// Reads the totals from the table.
    pub(crate) async fn recorded_totals(&self, entities: &[(Tenant, Entity)]) -> RecordedTotals {
        let mut recorded = RecordedTotals::default();
        for (tenant, entity) in entities {
            let last = entity.last_check.as_ref().expect("a check is done");
            let responses = self.store.responses_of(tenant, &entity.id, last.key()).await;
            for response in responses.expect("the table") {
                match response.state {
                    ResponseState::Answered => recorded.answered += 1,
                    ResponseState::Refused | ResponseState::Failed => recorded.others += 1,
                }
            }
        }
        for tenant in &self.tenants {
            let credits = self.store.credits(tenant).await.expect("the table");
            recorded.used += credits.total_used;
            recorded.reserved += credits.reserved;
        }
        recorded
    }
}

/// Returns an entity whose questions no other entity asks. `index` is its index in the workspace, `number`
/// its index in the run.
fn entity(tenant: &Tenant, index: usize, number: usize, prompts: usize, models: &[&Model]) -> NewEntity {
    let name = brand_name(index);
    let domain = format!("{}.example", name.to_lowercase());
    let target = Target::parse_domain("domain", &domain).expect("a domain");
    let prompt = |n| {
        let text = format!("Which tool would you recommend to team {n} of company {number}?");
        NewPrompt {
            text: PromptText::parse("prompt", &text).expect("a prompt"),
            language: None,
            geolocation: None,
            tags: Vec::new(),
        }
    };
    NewEntity {
        brand: target.brand_uuid(tenant.workspace(), &name),
        name,
        target,
        description: String::new(),
        language: Language::default(),
        geolocation: Geolocation::default(),
        tracking_type: TrackingType::Website,
        models: models.iter().map(|model| model.uuid()).collect(),
        prompts: (1..=prompts).map(prompt).collect(),
        start_tracking: true,
        frequency_hours: DEFAULT_FREQUENCY_HOURS,
    }
}
