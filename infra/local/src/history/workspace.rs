//! The demo workspace and its entities.

use domain::clock::Clock;
use domain::entity::TrackingType;
use domain::error::InvalidField;
use domain::limits::DEFAULT_FREQUENCY_HOURS;
use domain::prompt::{NewPrompt, PromptText};
use domain::target::Target;
use domain::time::Timestamp;
use domain::workspace::Limits;
use store::{
    CreateEntityError, NewEntity, NewWorkspace, ReplyRecorder, Store, Tenant, WorkspaceUpdate, WriteError,
};
use uuid::Uuid;

use crate::data::{DataDir, DemoState};
use crate::demo::{self, DemoEntity};
use crate::error::HostError;

const CREDITS: i64 = 100_000;

/// Creates the workspace and saves its key.
pub(super) async fn create_workspace(
    store: &Store,
    clock: &dyn Clock,
    data: Option<&DataDir>,
    older_data_ends_at: Option<Timestamp>,
) -> Result<DemoState, HostError> {
    let new = NewWorkspace {
        name: "Demo workspace".to_owned(),
        plan_name: "demo".to_owned(),
        limits: Limits::default(),
        credits: CREDITS,
    };
    let (tenant, _, key) = store.create_workspace(new, clock.now()).await?;
    let state = DemoState {
        workspace_id: *tenant.workspace(),
        api_key: key.reveal().to_owned(),
        is_complete: false,
        older_data_ends_at,
    };
    // The key is saved before entities are created, so that a restarted host finds the workspace.
    if let Some(data) = data {
        data.save_demo(&state)?;
    }
    Ok(state)
}

/// Creates the entities that do not exist yet. They do not count towards what the workspace may create in an
/// hour.
pub(super) async fn create_entities(
    store: &Store,
    tenant: &Tenant,
    models: &[Uuid],
) -> Result<(), HostError> {
    for entity in demo::ENTITIES.iter().chain(demo::RIVALS) {
        let new = new_entity(entity, tenant, models)?;
        let created = store
            .create_entity(tenant, &new, None, &ReplyRecorder::disabled())
            .await;
        match created {
            Ok(_) | Err(WriteError::Refused(CreateEntityError::AlreadyTracked)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let none_counts = WorkspaceUpdate {
        creates: Some(0),
        ..WorkspaceUpdate::default()
    };
    store.update_workspace(tenant, none_counts).await?;
    Ok(())
}

fn new_entity(demo: &DemoEntity, tenant: &Tenant, models: &[Uuid]) -> Result<NewEntity, HostError> {
    let invalid = |e: InvalidField| HostError::Demo(e.to_string());
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
        brand: target.brand_uuid(tenant.workspace(), demo.name),
        target,
        description: demo.description.to_owned(),
        language: domain::locale::Language::default(),
        geolocation: domain::locale::Geolocation::default(),
        tracking_type: TrackingType::Website,
        models: models.to_vec(),
        prompts: demo.prompts.iter().map(prompt).collect::<Result<_, _>>()?,
        start_tracking: !demo.prompts.is_empty(),
        frequency_hours: DEFAULT_FREQUENCY_HOURS,
    })
}
