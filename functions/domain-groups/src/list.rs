//! `GET /domain-groups`

use api::{ApiError, ApiRequest, ApiResponse, ApiState, Columns};
use domain::group::GroupDetails;
use domain::id::{EntityId, GroupId};
use domain::key_scope::KeyScope;
use serde::Serialize;

use crate::view::GroupView;

#[derive(Serialize, schemars::JsonSchema)]
pub struct ListGroupsResponse<'a> {
    /// The groups.
    data: Vec<GroupView<'a>>,
    /// The number of groups in `data`.
    count: usize,
}

/// The columns of the table.
pub(crate) const COLUMNS: Columns = &[
    "id",
    "name",
    "primaryEntityUuid",
    "entityTrackingId",
    "entities.entityUuid",
    "entities.target",
    "createdAt",
    "updatedAt",
];

/// Returns the domain groups all of whose entities the key reaches, oldest first.
///
/// `groupId` selects one group, and `entityId` the groups that apply to an entity. Returns 404 if the group
/// or the entity does not exist.
pub(crate) async fn list(request: ApiRequest<ApiState>) -> Result<ApiResponse, ApiError> {
    let query = &request.query;
    let (group, entity) = (query.optional_id("groupId")?, query.optional_id("entityId")?);
    let group: Option<GroupId> = group.map(|id| request.parse_id(id)).transpose()?;
    let entity: Option<EntityId> = entity.map(|id| request.parse_id(id)).transpose()?;
    let store = request.store();
    let read_entity = async {
        match &entity {
            Some(id) => store.entity(&request.tenant, id).await,
            None => Ok(None),
        }
    };
    let (mut groups, found_entity) =
        tokio::try_join!(store.groups_with_details(&request.tenant), read_entity)?;
    groups.retain(|details| is_reached(details, &request.key_scope));
    let is_selected = |details: &&GroupDetails| group.as_ref().is_none_or(|id| *id == details.group.id);
    if !groups.iter().any(|details| is_selected(&details)) && group.is_some() {
        return Err(ApiError::not_found("Domain group"));
    }
    if entity.is_some() && found_entity.is_none() {
        return Err(ApiError::not_found("Entity"));
    }
    let applies = |details: &&GroupDetails| entity.as_ref().is_none_or(|id| details.group.applies_to(id));
    let data: Vec<GroupView<'_>> = groups
        .iter()
        .filter(is_selected)
        .filter(applies)
        .map(GroupView::from)
        .collect();
    ApiResponse::from_fields(&ListGroupsResponse {
        count: data.len(),
        data,
    })
}

fn is_reached(details: &GroupDetails, scope: &KeyScope) -> bool {
    let members = details.members.iter().filter_map(|member| member.entity.as_ref());
    let mut entities = members.chain(&details.group.scope);
    entities.all(|entity| scope.reaches(entity))
}
