//! A prompt as it is stored.

use serde::{Deserialize, Serialize};

use super::PromptText;
use crate::id::TagId;
use crate::locale::{Geolocation, Language};
use crate::ordinal::PromptOrdinal;
use crate::tag::Tag;
use crate::time::Timestamp;

/// A prompt of an entity. A deleted one stays, so that its answers can still be named.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Prompt {
    pub ordinal: PromptOrdinal,
    pub text: PromptText,
    /// `None` follows the entity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<Language>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub geolocation: Option<Geolocation>,
    pub created_at: Timestamp,
    pub is_active: bool,
    #[serde(default)]
    pub is_deleted: bool,
    /// Tags that were deleted since are still among them.
    #[serde(default)]
    pub tags: Vec<TagId>,
}

impl Prompt {
    /// Neither paused nor deleted.
    pub fn is_asked(&self) -> bool {
        self.is_active && !self.is_deleted
    }

    /// Keeps only those tags that are among `existing`.
    pub fn drop_deleted_tags(&mut self, existing: &[Tag]) {
        self.tags.retain(|id| existing.iter().any(|tag| tag.id == *id));
    }
}
