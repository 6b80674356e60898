//! The demo workspace and its history: the service's own checks, with service time moved forward day by day.

use std::sync::Arc;
use std::time::Duration;

use domain::brand::of_target;
use domain::entity::{Entity, TrackingType};
use domain::prompt::{NewPrompt, PromptText};
use domain::target::Target;
use domain::time::{DAY, MINUTE, Millis};
use domain::workspace::Limits;
use store::{NewEntity, NewWorkspace, Store, Tenant};

use crate::bus::{EventHandler, schedule};
use crate::clock::ServiceClock;
use crate::data::{DataDir, DemoState};
use crate::{HostError, demo};

/// Days that the demo's history covers, today included.
const DAYS: i64 = 30;
const CREDITS: i64 = 100_000;

/// When the first check of the history is, so that the last one lies earlier today.
pub(crate) fn start(real: Millis) -> Millis {
    let since_midnight = real.0.rem_euclid(DAY);
    real.plus(-(DAYS - 1) * DAY - (since_midnight / 2).min(5 * MINUTE))
}

/// Makes the workspace with its entities, unless they are there.
pub(crate) async fn create_workspace(
    store: &Store,
    clock: &ServiceClock,
    data: Option<&DataDir>,
    models: &[uuid::Uuid],
) -> Result<DemoState, HostError> {
    use domain::clock::Clock;
    if let Some(found) = data.and_then(DataDir::demo) {
        return Ok(found);
    }
    let new = NewWorkspace {
        name: "Demo workspace".to_owned(),
        plan_name: "demo".to_owned(),
        limits: Limits::default(),
        credits: CREDITS,
    };
    let (tenant, _, key) = store.create_workspace(new, clock.now()).await?;
    for entity in demo::ENTITIES {
        let new = entity_of(entity, &tenant, models)?;
        let created = store
            .create_entity(&tenant, &new, clock.now(), clock.real())
            .await?;
        created.map_err(|refused| HostError::Demo(format!("{refused:?}")))?;
    }
    let state = DemoState {
        workspace_id: tenant.workspace().clone(),
        api_key: key.reveal().to_owned(),
        is_complete: false,
    };
    if let Some(data) = data {
        data.save_demo(&state)?;
    }
    Ok(state)
}

fn entity_of(
    demo: &demo::DemoEntity,
    tenant: &Tenant,
    models: &[uuid::Uuid],
) -> Result<NewEntity, HostError> {
    let invalid = |e: domain::error::Invalid| HostError::Demo(e.to_string());
    let target = Target::parse_domain("domain", demo.domain).map_err(invalid)?;
    let prompt = |text: &&str| {
        let text = PromptText::parse("prompt", text).map_err(invalid)?;
        Ok::<_, HostError>(NewPrompt {
            text,
            language: None,
            geolocation: None,
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
    })
}

/// Lets every check up to now happen: moves service time to the next slot, ticks, and waits until the
/// checks are done, as often as there is a slot in the past. `progress` is told the day.
pub(crate) async fn catch_up(
    store: &Store,
    tenant: &Tenant,
    clock: &Arc<ServiceClock>,
    checker: &EventHandler,
    mut progress: impl FnMut(&str),
) -> Result<(), HostError> {
    use domain::clock::Clock;
    loop {
        let entities = wait_until_idle(store, tenant).await?;
        let next = entities.iter().filter_map(|e| e.next_check_at).max();
        let Some(next) = next.filter(|next| *next <= clock.real()) else {
            break;
        };
        clock.advance_to(next);
        progress(&next.day().to_string());
        checker(schedule::tick(clock.now()))
            .await
            .map_err(HostError::Demo)?;
    }
    clock.advance_to(clock.real());
    Ok(())
}

/// The entities, once no check is running.
async fn wait_until_idle(store: &Store, tenant: &Tenant) -> Result<Vec<Entity>, HostError> {
    loop {
        let entities = store.entities(tenant).await?;
        if entities.iter().all(|e| e.running.is_none()) {
            return Ok(entities);
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
