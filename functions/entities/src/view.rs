//! An entity as clients see it.

use domain::entity::{Entity, TrackingType};
use domain::id::EntityId;
use domain::locale::{Geolocation, Language};
use domain::target::TargetType;
use domain::time::Timestamp;
use serde::Serialize;
use uuid::Uuid;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EntityView<'a> {
    id: &'a EntityId,
    entity_uuid: Uuid,
    name: &'a str,
    target: &'a str,
    target_type: TargetType,
    tracking_type: TrackingType,
    description: &'a str,
    favicon_url: Option<&'a str>,
    language: &'a Language,
    geolocation: &'a Geolocation,
    models: &'a [Uuid],
    aliases: &'a [String],
    is_active: bool,
    frequency_hours: u32,
    created_at: Timestamp,
}

impl<'a> From<&'a Entity> for EntityView<'a> {
    fn from(entity: &'a Entity) -> Self {
        Self {
            id: &entity.id,
            entity_uuid: entity.brand,
            name: &entity.name,
            target: &entity.target,
            target_type: entity.target_type,
            tracking_type: entity.tracking_type,
            description: &entity.description,
            favicon_url: entity.favicon_url.as_deref(),
            language: &entity.language,
            geolocation: &entity.geolocation,
            models: &entity.models,
            aliases: &entity.aliases,
            is_active: entity.is_active,
            frequency_hours: entity.frequency_hours,
            created_at: entity.created_at,
        }
    }
}
