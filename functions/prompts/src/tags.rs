//! `/tags`: the names with which a workspace groups its prompts.

pub mod create;
pub mod delete;
pub mod list;

use domain::id::TagId;
use domain::tag::{Tag, TagName};
use domain::time::Timestamp;
use serde::Serialize;

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "Tag")]
#[serde(rename_all = "camelCase")]
struct TagView<'a> {
    /// The tag's id.
    id: &'a TagId,
    /// The tag's name.
    name: &'a TagName,
    /// When the tag was created, in Unix milliseconds.
    created_at: Timestamp,
}

impl<'a> From<&'a Tag> for TagView<'a> {
    fn from(tag: &'a Tag) -> Self {
        Self {
            id: &tag.id,
            name: &tag.name,
            created_at: tag.created_at,
        }
    }
}
