//! The domain groups in responses.

use domain::group::{GroupDetails, GroupMember};
use domain::id::{EntityId, GroupId};
use domain::time::Timestamp;
use serde::Serialize;
use uuid::Uuid;

#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "DomainGroup")]
#[serde(rename_all = "camelCase")]
pub(crate) struct GroupView<'a> {
    /// The group's id.
    id: &'a GroupId,
    /// The name as given, or else the primary entity's name.
    name: &'a str,
    /// The member whose name and favicon represent the group.
    primary_entity_uuid: Uuid,
    /// The group's scope: the only tracking whose analytics the group changes. Null if it changes those of
    /// the whole workspace.
    entity_tracking_id: Option<&'a EntityId>,
    /// The members, in the order in which they were given.
    entities: Vec<MemberView<'a>>,
    /// When the group was created, in Unix milliseconds.
    created_at: Timestamp,
    /// When the group last changed, in Unix milliseconds.
    updated_at: Timestamp,
}

#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "GroupMember")]
#[serde(rename_all = "camelCase")]
struct MemberView<'a> {
    /// The brand's oldest tracking in this workspace. Null if there is none.
    entity_id: Option<&'a EntityId>,
    /// The brand's UUID, the same in every workspace.
    entity_uuid: Uuid,
    /// The display name. A brand that is not tracked in this workspace is shown by its domain.
    name: &'a str,
    /// The tracked domain or URL.
    target: &'a str,
    /// The favicon of the target's host. Null for an individual without a domain.
    favicon_url: Option<&'a str>,
    /// Whether the member represents the group.
    is_primary: bool,
    /// Whether the member is tracked in this workspace.
    in_workspace: bool,
}

/// A group that was created or changed.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct GroupResponse<'a> {
    /// The group.
    pub(crate) data: GroupView<'a>,
    /// What was done.
    pub(crate) message: &'static str,
}

impl<'a> From<&'a GroupDetails> for GroupView<'a> {
    fn from(details: &'a GroupDetails) -> Self {
        Self {
            id: &details.group.id,
            name: &details.name,
            primary_entity_uuid: details.group.primary,
            entity_tracking_id: details.group.scope.as_ref(),
            entities: details.members.iter().map(MemberView::from).collect(),
            created_at: details.group.created_at,
            updated_at: details.group.updated_at,
        }
    }
}

impl<'a> From<&'a GroupMember> for MemberView<'a> {
    fn from(member: &'a GroupMember) -> Self {
        Self {
            entity_id: member.entity.as_ref(),
            entity_uuid: member.brand,
            name: &member.name,
            target: &member.target,
            favicon_url: member.favicon_url.as_deref(),
            is_primary: member.is_primary,
            in_workspace: member.entity.is_some(),
        }
    }
}
