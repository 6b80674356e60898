//! Parses the entity in the body of `POST /entities`.

use api::prompts::{parse_geolocation, parse_language};
use api::{ApiError, JsonBody};
use domain::brand;
use domain::entity::TrackingType;
use domain::error::InvalidField;
use domain::limits::MAX_DESCRIPTION_CHARS;
use domain::target::Target;
use domain::text::validate_optional_text;
use store::{NewEntity, Tenant};

use crate::EntitiesState;
use crate::models::parse_models;

/// Parses the fields of the entity itself, without its prompts. Returns 400 if a field is invalid.
pub(crate) fn parse_new_entity(
    body: &JsonBody,
    state: &EntitiesState,
    tenant: &Tenant,
) -> Result<NewEntity, ApiError> {
    let name = brand::parse_name("name", body.required_text("name")?)?;
    let tracking_type = parse_tracking_type(body)?;
    let target = parse_target(body, tracking_type, &name)?;
    let description = body.text("description")?.unwrap_or("");
    Ok(NewEntity {
        brand: target.brand_uuid(tenant.workspace(), &name),
        target,
        description: validate_optional_text("description", description, MAX_DESCRIPTION_CHARS)?,
        language: parse_language(body)?.unwrap_or_default(), // English
        geolocation: parse_geolocation(body)?.unwrap_or_default(), // global
        tracking_type,
        models: parse_models(body, &state.api.catalogue)?
            .ok_or_else(|| InvalidField::new("models", "is required"))?,
        prompts: Vec::new(),
        start_tracking: body.flag("startTracking")?.unwrap_or(true),
        frequency_hours: state.frequency_hours,
        name,
    })
}

fn parse_tracking_type(body: &JsonBody) -> Result<TrackingType, InvalidField> {
    match body.text("trackingType")? {
        None | Some("website") => Ok(TrackingType::Website),
        Some("individual") => Ok(TrackingType::Individual),
        Some(_) => Err(InvalidField::new("trackingType", "must be website or individual")),
    }
}

/// Parses the field `domain`, which a website requires. The target of an individual without a domain is the
/// name.
fn parse_target(body: &JsonBody, tracking_type: TrackingType, name: &str) -> Result<Target, InvalidField> {
    let domain = body.text("domain")?.filter(|d| !d.trim().is_empty());
    match (tracking_type, domain) {
        (TrackingType::Website, None) => Err(InvalidField::new("domain", "is required")),
        (TrackingType::Website, Some(domain)) => Target::parse_domain("domain", domain),
        (TrackingType::Individual, Some(domain)) => {
            Ok(Target::parse_domain("domain", domain)?.into_individual())
        }
        (TrackingType::Individual, None) => Target::individual("name", name),
    }
}
