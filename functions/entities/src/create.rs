//! `POST /entities`

use api::prompts::{PromptDefaults, PromptView, known_tags, parse_prompts};
use api::{ApiError, ApiRequest, ApiResponse};
use domain::limits::GENERATED_PROMPTS;
use domain::prompt::deduplicate_for_entity;
use serde::Serialize;
use store::{ClaimError, CreatedEntity, FirstCheck, NewEntity};

use crate::EntitiesState;
use crate::generate_prompts::generate_prompts;
use crate::parse_new_entity::parse_new_entity;
use crate::publish::publish_claim;
use crate::view::EntityView;

#[derive(Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateEntityResponse<'a> {
    /// The new entity.
    data: EntityView<'a>,
    /// The number of prompts that were saved, generated or given.
    prompts_generated: usize,
    /// The prompts that were saved.
    prompts: Vec<PromptView>,
    /// Aliases that people probably write instead of the name, the most useful one first. They do not count
    /// as mentions until a client adds them to the entity's aliases.
    #[schemars(extend("x-extension" = true))]
    suggested_aliases: Vec<String>,
    /// Whether a first check was started.
    tracking_started: bool,
    /// What was done. If no check was started, it says why.
    message: String,
}

/// Creates an entity with its prompts and claims its first check, in one transaction. Returns the entity and
/// the prompts.
///
/// A first check that cannot be claimed is no error: the response says why in `message`. Returns 400 if the
/// body is invalid, 403 if a limit of the workspace is reached, 409 if the workspace tracks the target
/// already, 429 if too many entities were created within the hour, 502 if the provider refuses to generate
/// prompts, and 503 if prompts cannot be generated now.
pub(crate) async fn create(request: ApiRequest<EntitiesState>) -> Result<ApiResponse, ApiError> {
    let api = &request.state.api;
    let new = new_entity(&request).await?;
    let to_response = |created: &CreatedEntity| response(&new, created);
    let created = api
        .store
        .create_entity(
            &request.tenant,
            &new,
            Some(&api.catalogue),
            &request.reply_recorder(&to_response),
        )
        .await?;
    match &created.first_check {
        Some(FirstCheck::Claimed(claim)) => {
            publish_claim(&request.state, &request.tenant, &created.entity.id, claim).await;
        }
        Some(FirstCheck::NotClaimed(reason)) if !matches!(reason, ClaimError::NoCredits { .. }) => {
            tracing::warn!(entity.id = %created.entity.id, %reason, "the first check was not claimed");
        }
        _ => {}
    }
    to_response(&created)
}

/// Parses the entity, and generates its prompts if the body requests it. The workspace's limits are checked
/// first, so that no prompts are generated in vain.
async fn new_entity(request: &ApiRequest<EntitiesState>) -> Result<NewEntity, ApiError> {
    let body = request.body()?;
    let tags = known_tags(request, request.store(), &body).await?;
    let custom = parse_prompts(&body, &PromptDefaults::of_entity(&tags))?;
    let is_generated = body.flag("generatePrompts")?.unwrap_or(true) && custom.is_none();
    let mut new = parse_new_entity(&body, &request.state, &request.tenant)?;
    let custom = custom.into_iter().flatten().collect();
    new.prompts = deduplicate_for_entity(custom, new.language, new.geolocation)?;

    let min_prompts = if is_generated { 1 } else { new.prompts.len() };
    let store = request.store();
    let free = store
        .check_creation_limits(&request.tenant, &new, min_prompts)
        .await?;
    if is_generated {
        new.prompts = generate_prompts(&request.state, &new, GENERATED_PROMPTS.min(free)).await?;
    }
    Ok(new)
}

fn response(new: &NewEntity, created: &CreatedEntity) -> Result<ApiResponse, ApiError> {
    let entity = &created.entity;
    ApiResponse::from_fields(&CreateEntityResponse {
        data: EntityView::from(entity),
        prompts_generated: created.prompts.len(),
        prompts: created
            .prompts
            .iter()
            .map(|prompt| PromptView::new(entity, prompt))
            .collect(),
        suggested_aliases: entity.suggested_aliases(),
        tracking_started: matches!(created.first_check, Some(FirstCheck::Claimed(_))),
        message: message(new, created),
    })
}

/// Returns the message that says whether tracking started and, if it did not, why, and whether the name is
/// another brand's too.
fn message(new: &NewEntity, created: &CreatedEntity) -> String {
    let mut message = tracking_message(new, created);
    if created.shares_name {
        message.push_str(
            ". Another brand of the workspace has this name as well: an answer with the name counts as a mention of both",
        );
    }
    message
}

fn tracking_message(new: &NewEntity, created: &CreatedEntity) -> String {
    match &created.first_check {
        Some(FirstCheck::Claimed(_)) => "Entity created and tracking started".to_owned(),
        Some(FirstCheck::NotClaimed(ClaimError::NoCredits { needed, balance })) => format!(
            "Entity created; tracking waits for credits: a check needs {needed} credits, the balance is {balance}"
        ),
        Some(FirstCheck::NotClaimed(_)) => "Entity created; its first check could not be started".to_owned(),
        None if new.start_tracking => "Entity created; tracking starts with its first prompt".to_owned(),
        None => "Entity created without tracking".to_owned(),
    }
}
