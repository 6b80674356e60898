//! `PATCH /entities`

use api::prompts::{parse_geolocation, parse_language};
use api::{ApiError, ApiRequest, ApiResponse, JsonBody};
use domain::brand;
use domain::catalogue::Catalogue;
use domain::entity::EntityUpdate;
use domain::error::InvalidField;
use domain::id::EntityId;
use domain::limits::{MAX_DESCRIPTION_CHARS, MAX_FREQUENCY_HOURS};
use domain::target::Target;
use domain::text::validate_optional_text;
use serde::Serialize;

use crate::EntitiesState;
use crate::models::parse_models;
use crate::view::EntityView;

/// What a key that is bound to entities is told about aliases.
pub const BOUND_KEY_RULE: &str = "cannot be changed with a key that is bound to entities, because an alias counts in all answers of \
                                  the workspace: POST /entities/name-request asks for other names and aliases";

#[derive(Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdateEntityResponse<'a> {
    /// The entity as it is now.
    data: EntityView<'a>,
    /// Aliases that people probably write instead of the name, the most useful one first. They do not count
    /// as mentions until a client adds them to the entity's aliases.
    #[schemars(extend("x-extension" = true))]
    suggested_aliases: Vec<String>,
}

/// Changes the given fields of an entity, and returns the entity. Its name changes by a name request.
///
/// Returns 400 if no field is given or one is invalid, 403 if a bound key gives aliases, 404 if the entity
/// does not exist, and 409 if the workspace tracks the new target already or another brand of it has one of
/// the aliases.
pub(crate) async fn update(request: ApiRequest<EntitiesState>) -> Result<ApiResponse, ApiError> {
    let api = &request.state.api;
    let body = request.body()?;
    let id = body.required_text("entityId")?;
    let update = parse_update(&body, &api.catalogue)?;
    let id: EntityId = request.parse_id(id)?;
    if request.key_scope.is_bound() && update.aliases.is_some() {
        return Err(ApiError::forbidden(format!("aliases {BOUND_KEY_RULE}")));
    }
    let entity = api
        .store
        .update_entity(&request.tenant, &id, &update, &api.catalogue)
        .await?;
    ApiResponse::from_fields(&UpdateEntityResponse {
        data: EntityView::from(&entity),
        suggested_aliases: entity.suggested_aliases(),
    })
}

fn parse_update(body: &JsonBody, catalogue: &Catalogue) -> Result<EntityUpdate, InvalidField> {
    if body.text("name")?.is_some() {
        let rule = "cannot be changed here: POST /entities/name-request asks for another name";
        return Err(InvalidField::new("name", rule));
    }
    let target = body.text("target")?;
    let description = body.text("description")?;
    let aliases = body.text_list("aliases")?;
    let update = EntityUpdate {
        target: target
            .map(|text| Target::parse_domain("target", text))
            .transpose()?,
        description: description
            .map(|text| validate_optional_text("description", text, MAX_DESCRIPTION_CHARS))
            .transpose()?,
        language: parse_language(body)?,
        geolocation: parse_geolocation(body)?,
        models: parse_models(body, catalogue)?,
        aliases: aliases
            .map(|names| brand::parse_aliases("aliases", &names))
            .transpose()?,
        is_active: body.flag("isActive")?,
        frequency_hours: body.whole_number("frequencyHours", 1..=MAX_FREQUENCY_HOURS)?,
    };
    if update == EntityUpdate::default() {
        let rule = "must change target, description, language, geolocation, models, aliases, isActive or \
                    frequencyHours";
        return Err(InvalidField::new("body", rule));
    }
    Ok(update)
}
