//! The entities in responses.

use domain::entity::{Entity, TrackingType};
use domain::id::EntityId;
use domain::locale::{Geolocation, Language};
use domain::target::TargetType;
use domain::time::Timestamp;
use serde::Serialize;
use uuid::Uuid;

#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "Entity")]
#[serde(rename_all = "camelCase")]
pub(crate) struct EntityView<'a> {
    /// The id of this workspace's tracking.
    id: &'a EntityId,
    /// The brand's UUID, the same in every workspace.
    #[schemars(extend("x-extension" = true))]
    entity_uuid: Uuid,
    /// The display name.
    name: &'a str,
    /// The tracked host, with a path if one was given. The name of an individual without a domain.
    target: &'a str,
    /// The kind of target. A `url` has a host and a path.
    target_type: TargetType,
    /// What is tracked.
    #[schemars(extend("x-extension" = true))]
    tracking_type: TrackingType,
    /// What the brand offers. Empty if no description was given.
    #[schemars(length(min = 0))]
    description: &'a str,
    /// The favicon of the target's host. Null for an individual without a domain.
    favicon_url: Option<&'a str>,
    /// The language of prompts that have none of their own: ISO 639-1, with a region if one was given.
    language: &'a Language,
    /// The geolocation of prompts that have none of their own: `global` or ISO 3166-1 alpha-2 in lower case.
    geolocation: &'a Geolocation,
    /// The UUIDs of the models that are asked.
    #[schemars(extend("x-extension" = true))]
    models: &'a [Uuid],
    /// Other names that count as mentions.
    #[schemars(extend("x-extension" = true))]
    aliases: &'a [String],
    /// Whether checks run on schedule.
    is_active: bool,
    /// The hours between checks.
    #[schemars(range(min = 1, max = domain::limits::MAX_FREQUENCY_HOURS), extend("x-extension" = true))]
    frequency_hours: u32,
    /// When the entity was created, in Unix milliseconds.
    #[schemars(extend("x-extension" = true))]
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
