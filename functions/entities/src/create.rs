//! `POST /entities`: all or nothing.

use api::prompts::{PromptDefaults, PromptView, parse_geolocation, parse_language, parse_prompts};
use api::{ApiError, ApiRequest, ApiResponse, JsonBody};
use domain::brand::{self, of_target};
use domain::entity::TrackingType;
use domain::error::InvalidField;
use domain::limits::{GENERATED_PROMPTS, MAX_DESCRIPTION_CHARS};
use domain::target::Target;
use domain::text::bounded_or_empty;
use serde::Serialize;
use store::{ClaimError, Created, FirstCheck, NewEntity, Tenant};

use crate::EntitiesState;
use crate::generate::generate;
use crate::models::models;
use crate::publish::publish_claim;
use crate::view::EntityView;

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CreateEntityResponse<'a> {
    /// The new entity.
    data: EntityView<'a>,
    /// The number of prompts that were saved, generated or given.
    prompts_generated: usize,
    /// The prompts that were saved.
    prompts: Vec<PromptView>,
    /// Whether a first check was started.
    tracking_started: bool,
    /// What was done. If no check was started, it says why.
    message: String,
}

pub(crate) async fn create(request: ApiRequest<EntitiesState>) -> Result<ApiResponse, ApiError> {
    let api = &request.state.api;
    let body = request.body()?;
    let custom = parse_prompts(&body, &PromptDefaults::default())?;
    let generated = body.flag("generatePrompts")?.unwrap_or(true) && custom.is_none();
    let mut new = read(&body, &request.state, &request.tenant)?;
    new.prompts = custom.unwrap_or_default();

    let least = if generated { 1 } else { new.prompts.len() };
    let free = api.store.room_for(&request.tenant, &new, least).await?;
    if generated {
        new.prompts = generate(&request.state, &new, GENERATED_PROMPTS.min(free)).await?;
    }

    let answer = |created: &Created| response(&new, created);
    let created = api
        .store
        .create_entity(
            &request.tenant,
            &new,
            Some(&api.catalogue),
            &request.idempotent(&answer),
        )
        .await?;
    if let Some(FirstCheck::Claimed(claim)) = &created.first_check {
        publish_claim(&request.state, &request.tenant, &created.entity.id, claim).await;
    }
    answer(&created)
}

fn response(new: &NewEntity, created: &Created) -> Result<ApiResponse, ApiError> {
    let (tracking_started, message) = start(new, created);
    let entity = &created.entity;
    ApiResponse::of(&CreateEntityResponse {
        data: EntityView::from(entity),
        prompts_generated: created.prompts.len(),
        prompts: created
            .prompts
            .iter()
            .map(|prompt| PromptView::new(entity, prompt))
            .collect(),
        tracking_started,
        message,
    })
}

/// Whether tracking started. The entity exists: what hinders its first check is said, and is no error.
fn start(new: &NewEntity, created: &Created) -> (bool, String) {
    let entity_id = &created.entity.id;
    match &created.first_check {
        Some(FirstCheck::Claimed(_)) => (true, "Entity created and tracking started".to_owned()),
        Some(FirstCheck::NotClaimed(ClaimError::NoCredits { needed, balance })) => {
            let why = format!("a check needs {needed} credits, the balance is {balance}");
            (
                false,
                format!("Entity created; tracking waits for credits: {why}"),
            )
        }
        Some(FirstCheck::NotClaimed(reason)) => {
            tracing::warn!(entity.id = %entity_id, %reason, "the first check was not claimed");
            (
                false,
                "Entity created; its first check could not be started".to_owned(),
            )
        }
        None if new.start_tracking => (
            false,
            "Entity created; tracking starts with its first prompt".to_owned(),
        ),
        None => (false, "Entity created without tracking".to_owned()),
    }
}

fn read(body: &JsonBody, state: &EntitiesState, tenant: &Tenant) -> Result<NewEntity, ApiError> {
    let name = brand::name("name", body.required_text("name")?)?;
    let tracking_type = match body.text("trackingType")? {
        None | Some("website") => TrackingType::Website,
        Some("individual") => TrackingType::Individual,
        Some(_) => return Err(InvalidField::new("trackingType", "must be website or individual").into()),
    };
    let domain = body.text("domain")?.filter(|d| !d.trim().is_empty());
    let target = match (tracking_type, domain) {
        (TrackingType::Website, None) => return Err(InvalidField::new("domain", "is required").into()),
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
            MAX_DESCRIPTION_CHARS,
        )?,
        language: parse_language(body)?.unwrap_or_default(),
        geolocation: parse_geolocation(body)?.unwrap_or_default(),
        tracking_type,
        models: models(body, &state.api.catalogue)?
            .ok_or_else(|| InvalidField::new("models", "is required"))?,
        prompts: Vec::new(),
        start_tracking: body.flag("startTracking")?.unwrap_or(true),
        frequency_hours: state.frequency_hours,
        name,
    })
}
