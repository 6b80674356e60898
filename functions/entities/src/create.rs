//! `POST /entities`: all or nothing.

use api::prompts::{PromptView, geolocation, language, prompts};
use api::{ApiError, App, Call, Fields, Reply};
use domain::brand::of_target;
use domain::entity::TrackingType;
use domain::error::Invalid;
use domain::limits::{DESCRIPTION_CHARS, NAME_CHARS};
use domain::target::Target;
use domain::text::{bounded, bounded_or_empty};
use serde::Serialize;
use store::{CreateRefused, NewEntity, NotClaimed, Tenant, Trigger};
use uuid::Uuid;

use crate::State;
use crate::generate::{generate, wanted};
use crate::start::start_check;
use crate::view::EntityView;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Created<'a> {
    data: EntityView<'a>,
    prompts_generated: usize,
    prompts: Vec<PromptView>,
    tracking_started: bool,
    message: String,
}

pub(crate) async fn create(call: Call<State>) -> Result<Reply, ApiError> {
    let app = &call.state.app;
    let body = call.body()?;
    let custom = prompts(&body)?;
    let generated = body.flag("generatePrompts")?.unwrap_or(true) && custom.is_none();
    let mut new = read(&body, app, &call.tenant)?;
    new.prompts = custom.unwrap_or_default();

    let workspace = app.store.workspace(&call.tenant).await?;
    let workspace = workspace.ok_or_else(|| ApiError::internal("a key's workspace does not exist"))?;
    let slots = if generated {
        wanted(&workspace).max(1) as usize
    } else {
        new.prompts.len()
    };
    if let Some(refused) = CreateRefused::check(&workspace, slots, app.clock.real()) {
        return Err(refusal(&refused));
    }
    if app.store.is_tracked(&call.tenant, &new.target).await? {
        return Err(refusal(&CreateRefused::AlreadyTracked));
    }
    if generated {
        new.prompts = generate(&call.state, &new, wanted(&workspace)).await?;
    }

    let (now, real) = (app.clock.now(), app.clock.real());
    let created = app.store.create_entity(&call.tenant, &new, now, real).await?;
    let (entity, prompts) = created.map_err(|refused| refusal(&refused))?;
    let (tracking_started, message) = start(&call, &entity.id, &new).await;
    Reply::of(&Created {
        data: EntityView::from(&entity),
        prompts_generated: prompts.len(),
        prompts: prompts
            .iter()
            .map(|prompt| PromptView::new(&entity, prompt))
            .collect(),
        tracking_started,
        message,
    })
}

/// Starts the first check. The entity exists by now: whatever hinders the check is said, not returned as an
/// error.
async fn start(call: &Call<State>, entity: &domain::id::EntityId, new: &NewEntity) -> (bool, String) {
    if !new.start_tracking {
        return (false, "Entity created without tracking".to_owned());
    }
    if new.prompts.is_empty() {
        return (
            false,
            "Entity created; tracking starts with its first prompt".to_owned(),
        );
    }
    let started = "Entity created and tracking started".to_owned();
    match start_check(&call.state, &call.tenant, entity, Trigger::Schedule).await {
        Ok(Ok(_)) => (true, started),
        Ok(Err(NotClaimed::NoCredits { needed, balance })) => {
            let why = format!("a check needs {needed} credits, the balance is {balance}");
            (
                false,
                format!("Entity created; tracking waits for credits: {why}"),
            )
        }
        // Another claim was faster.
        Ok(Err(NotClaimed::Running | NotClaimed::NotDue)) => (true, started),
        Ok(Err(refused)) => {
            tracing::warn!(?refused, "the first check was not claimed");
            (
                false,
                "Entity created; its first check could not be started".to_owned(),
            )
        }
        // The entity is due: the next tick claims its check.
        Err(error) => {
            tracing::warn!(%error, "the first check waits for the next tick");
            (true, started)
        }
    }
}

fn read(body: &Fields, app: &App, tenant: &Tenant) -> Result<NewEntity, ApiError> {
    let name = bounded("name", body.required_text("name")?, NAME_CHARS, false)?;
    let tracking_type = match body.text("trackingType")? {
        None | Some("website") => TrackingType::Website,
        Some("individual") => TrackingType::Individual,
        Some(_) => return Err(Invalid::new("trackingType", "must be website or individual").into()),
    };
    let domain = body.text("domain")?.filter(|d| !d.trim().is_empty());
    let target = match (tracking_type, domain) {
        (TrackingType::Website, None) => return Err(Invalid::new("domain", "is required").into()),
        (TrackingType::Website, Some(domain)) => Target::parse_domain("domain", domain)?,
        (TrackingType::Individual, Some(domain)) => Target::parse_domain("domain", domain)?.of_individual(),
        (TrackingType::Individual, None) => Target::individual("name", &name)?,
    };
    Ok(NewEntity {
        brand: of_target(&target, tenant.workspace(), &name),
        target,
        description: bounded_or_empty(
            "description",
            body.text("description")?.unwrap_or_default(),
            DESCRIPTION_CHARS,
        )?,
        language: language(body)?.unwrap_or_default(),
        geolocation: geolocation(body)?.unwrap_or_default(),
        tracking_type,
        models: models(body, app)?,
        prompts: Vec::new(),
        start_tracking: body.flag("startTracking")?.unwrap_or(true),
        name,
    })
}

/// The field `models`: each once, in the order given, all from `GET /models`.
fn models(body: &Fields, app: &App) -> Result<Vec<Uuid>, ApiError> {
    let given = body
        .texts("models")?
        .ok_or_else(|| Invalid::new("models", "is required"))?;
    let mut models = Vec::new();
    for (place, text) in given.iter().enumerate() {
        let known = Uuid::try_parse(text)
            .ok()
            .filter(|uuid| app.catalogue.get(*uuid).is_some());
        let rule = "must be the uuid of a model from GET /models";
        let uuid = known.ok_or_else(|| Invalid::new(format!("models[{place}]"), rule))?;
        if !models.contains(&uuid) {
            models.push(uuid);
        }
    }
    if models.is_empty() {
        return Err(Invalid::new("models", "must name at least one model").into());
    }
    Ok(models)
}

fn refusal(refused: &CreateRefused) -> ApiError {
    match refused {
        CreateRefused::NoWorkspace => ApiError::internal("a key's workspace does not exist"),
        CreateRefused::Canceled => ApiError::forbidden("The subscription is canceled"),
        CreateRefused::AlreadyTracked => {
            ApiError::conflict("This domain or name is tracked in the workspace already")
        }
        CreateRefused::EntityLimit { limit } => {
            ApiError::forbidden(format!("The workspace's limit of {limit} entities is reached"))
        }
        CreateRefused::PromptLimit { limit, free } => ApiError::forbidden(format!(
            "The workspace's limit of {limit} prompts would be exceeded: {free} are free"
        )),
        CreateRefused::TooMany { retry_after } => {
            ApiError::too_many("The hourly limit of entity creations is reached", *retry_after)
        }
    }
}
