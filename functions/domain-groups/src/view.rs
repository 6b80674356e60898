//! A group as clients see it.

use domain::group::{GroupMember, GroupView};
use domain::id::{EntityId, GroupId};
use domain::time::Timestamp;
use serde::Serialize;
use uuid::Uuid;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GroupView<'a> {
    id: &'a GroupId,
    name: &'a str,
    primary_entity_uuid: Uuid,
    /// The scope.
    entity_tracking_id: Option<&'a EntityId>,
    entities: Vec<MemberView<'a>>,
    created_at: Timestamp,
    updated_at: Timestamp,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct MemberView<'a> {
    entity_id: Option<&'a EntityId>,
    entity_uuid: Uuid,
    name: &'a str,
    target: &'a str,
    favicon_url: Option<&'a str>,
    is_primary: bool,
    in_workspace: bool,
}

/// A group that was created or changed.
#[derive(Debug, Serialize)]
pub(crate) struct GroupResponse<'a> {
    pub(crate) data: GroupView<'a>,
    pub(crate) message: &'static str,
}

impl<'a> From<&'a GroupView> for GroupView<'a> {
    fn from(shown: &'a GroupView) -> Self {
        Self {
            id: &shown.group.id,
            name: &shown.name,
            primary_entity_uuid: shown.group.primary,
            entity_tracking_id: shown.group.scope.as_ref(),
            entities: shown.members.iter().map(MemberView::from).collect(),
            created_at: shown.group.created_at,
            updated_at: shown.group.updated_at,
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
