//! The demo workspace and its history: the service's own checks, with service time moved forward day by day.

mod board;

use std::sync::Arc;
use std::time::Duration;

use domain::brand::of_target;
use domain::clock::Clock;
use domain::entity::{Entity, TrackingType};
use domain::limits::{DEFAULT_FREQUENCY_HOURS, LEASE};
use domain::prompt::{NewPrompt, PromptText};
use domain::target::Target;
use domain::time::{DAY, MINUTE, Timestamp};
use domain::workspace::Limits;
use serde_json::Value;
use store::{CreateEntityError, Idempotent, NewEntity, NewWorkspace, Store, Tenant, WriteError};

use crate::bus::{EventHandler, schedule};
use crate::clock::{ServiceClock, resume};
use crate::data::{DataDir, DemoState};
use crate::{HostError, demo};

/// Days that the demo's history covers, today included.
const DAYS: u32 = 30;
/// Days before today on which the first tasks are made and done, so that their outcomes are there.
const WORKED_ON: i32 = 14;
const CREDITS: i64 = 100_000;
/// How often it is looked whether a day's checks are done, and for how many turns.
const TURN: Duration = Duration::from_millis(20);
const PATIENCE: u32 = 50 * 240;

/// Where service time goes on: in the past while there is a history to make or to complete.
pub(crate) fn start_time(
    saved: Option<Timestamp>,
    demo: Option<&DemoState>,
    makes: bool,
    real: Timestamp,
) -> Timestamp {
    match saved {
        None if makes => first_check(real),
        Some(saved) if makes && demo.is_some() => saved,
        saved => resume(saved, real),
    }
}

/// When the first check of the history is, so that the last one lies earlier today.
fn first_check(real: Timestamp) -> Timestamp {
    let since_midnight = real.duration_since(real.day().start());
    real - (DAYS - 1) * DAY - (since_midnight / 2).min(5 * MINUTE)
}

/// Makes the workspace with its entities, or what is missing of them.
pub(crate) async fn create_workspace(
    store: &Store,
    clock: &ServiceClock,
    data: Option<&DataDir>,
    models: &[uuid::Uuid],
) -> Result<DemoState, HostError> {
    let state = match data.and_then(DataDir::demo) {
        Some(found) => found,
        None => {
            let new = NewWorkspace {
                name: "Demo workspace".to_owned(),
                plan_name: "demo".to_owned(),
                limits: Limits::default(),
                credits: CREDITS,
            };
            let (tenant, _, key) = store.create_workspace(new, clock.now()).await?;
            let state = DemoState {
                workspace_id: tenant.workspace().clone(),
                api_key: key.reveal().to_owned(),
                is_complete: false,
            };
            // Before its entities: a host that is killed now finds it again.
            if let Some(data) = data {
                data.save_demo(&state)?;
            }
            state
        }
    };
    let tenant = Tenant::operator(state.workspace_id.clone());
    board::add_people(store, &tenant, clock).await?;
    for entity in demo::ENTITIES {
        let new = entity_of(entity, &tenant, models)?;
        let created = store
            .create_entity(&tenant, &new, None, &Idempotent::none())
            .await;
        match created {
            Ok(_) | Err(WriteError::Refused(CreateEntityError::AlreadyTracked)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(state)
}

fn entity_of(
    demo: &demo::DemoEntity,
    tenant: &Tenant,
    models: &[uuid::Uuid],
) -> Result<NewEntity, HostError> {
    let invalid = |e: domain::error::InvalidField| HostError::Demo(e.to_string());
    let target = Target::parse_domain("domain", demo.domain).map_err(invalid)?;
    let prompt = |text: &&str| {
        let text = PromptText::parse("prompt", text).map_err(invalid)?;
        Ok::<_, HostError>(NewPrompt {
            text,
            language: None,
            geolocation: None,
            tags: Vec::new(),
        })
    };
    Ok(NewEntity {
        name: demo.name.to_owned(),
        brand: of_target(&target, tenant.workspace(), demo.name),
        target,
        description: demo.description.to_owned(),
        language: domain::locale::Language::default(),
        geolocation: domain::locale::Geolocation::default(),
        tracking_type: TrackingType::Website,
        models: models.to_vec(),
        prompts: demo.prompts.iter().map(prompt).collect::<Result<_, _>>()?,
        start_tracking: true,
        frequency_hours: DEFAULT_FREQUENCY_HOURS,
    })
}

/// What the history is made with.
pub(crate) struct Past<'a> {
    pub(crate) store: &'a Store,
    pub(crate) clock: &'a Arc<ServiceClock>,
    pub(crate) checker: &'a EventHandler,
    pub(crate) data: Option<&'a DataDir>,
}

impl Past<'_> {
    /// Lets every check up to now happen, and people work on the boards: moves service time to the next slot, ticks, and waits until the
    /// checks are done, as often as there is a slot in the past. `progress` is told the day.
    pub(crate) async fn catch_up(
        &self,
        tenant: &Tenant,
        mut progress: impl FnMut(&str),
    ) -> Result<(), HostError> {
        let clock = self.clock;
        let entities = self.store.entities(tenant).await?;
        if entities.iter().any(|e| e.running.is_some()) {
            // Who worked on them was killed: all leases end now.
            self.move_to(clock.now() + clock.to_service_time(LEASE))?;
            self.invoke(look_at_all(clock.now())).await?;
        }
        loop {
            let entities = self.wait_until_idle(tenant).await?;
            if clock.now().day() >= clock.real_now().day().plus_days(-WORKED_ON) {
                board::work(self.store, tenant).await?;
            }
            let next = entities.iter().filter_map(|e| e.next_check_at).max();
            let Some(next) = next.filter(|next| *next <= clock.real_now()) else {
                break;
            };
            self.move_to(next)?;
            progress(&next.day().to_string());
            self.invoke(schedule::tick(clock.now())).await?;
        }
        self.move_to(clock.real_now())
    }

    /// The entities, once no check is running. What got lost on the way is looked for every second.
    async fn wait_until_idle(&self, tenant: &Tenant) -> Result<Vec<Entity>, HostError> {
        for turn in 1..=PATIENCE {
            let entities = self.store.entities(tenant).await?;
            if entities.iter().all(|e| e.running.is_none()) {
                return Ok(entities);
            }
            tokio::time::sleep(TURN).await;
            if turn % 50 == 0 {
                self.invoke(look_at_all(self.clock.now())).await?;
            }
        }
        Err(HostError::Demo("a check does not end".to_owned()))
    }

    /// Moves service time, and keeps it before anything is stored that is as late.
    fn move_to(&self, to: Timestamp) -> Result<(), HostError> {
        self.clock.advance_to(to);
        if let Some(data) = self.data {
            data.save_time(self.clock.as_ref())?;
        }
        Ok(())
    }

    async fn invoke(&self, event: Value) -> Result<(), HostError> {
        (self.checker)(event).await.map(|_| ()).map_err(HostError::Demo)
    }
}

/// A tick that looks at every running check.
pub(crate) fn look_at_all(now: Timestamp) -> Value {
    let mut tick = schedule::tick(now);
    tick["detail"][checker::RECONCILE_ALL] = true.into();
    tick
}
