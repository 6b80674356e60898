//! A prompt as it is stored.

use serde::{Deserialize, Serialize};

use super::PromptText;
use crate::id::TagId;
use crate::locale::{Geolocation, Language};
use crate::ordinal::PromptOrdinal;
use crate::tag::Tag;
use crate::time::Timestamp;

/// A prompt of an entity. A deleted prompt remains stored, because its responses refer to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Prompt {
    pub ordinal: PromptOrdinal,
    pub text: PromptText,
    /// The language of the prompt, or `None` for that of the entity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<Language>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub geolocation: Option<Geolocation>,
    pub created_at: Timestamp,
    pub is_active: bool,
    pub is_deleted: bool,
    /// The tags of the prompt. They can include tags that no longer exist.
    pub tags: Vec<TagId>,
}

impl Prompt {
    /// Returns whether checks ask the prompt, which is neither paused nor deleted.
    pub fn is_asked(&self) -> bool {
        self.is_active && !self.is_deleted
    }

    /// Removes the tags that are not in `existing`.
    pub fn drop_deleted_tags(&mut self, existing: &[Tag]) {
        self.tags.retain(|id| existing.iter().any(|tag| tag.id == *id));
    }
}
