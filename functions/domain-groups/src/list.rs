//! `GET /domain-groups`

use api::{ApiError, ApiRequest, ApiResponse, ApiState, parse_id};
use domain::group::GroupDetails;
use domain::id::{EntityId, GroupId};
use serde::Serialize;

use crate::view::GroupView;

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ListGroupsResponse<'a> {
    /// The groups.
    data: Vec<GroupView<'a>>,
    /// The number of groups in `data`.
    count: usize,
}

/// The workspace's groups, oldest first: the one asked for, or those that concern an entity.
pub(crate) async fn list(request: ApiRequest<ApiState>) -> Result<ApiResponse, ApiError> {
    let (group, entity) = (request.query.text("groupId")?, request.query.text("entityId")?);
    let group: Option<GroupId> = group.map(|id| parse_id(id, "Domain group")).transpose()?;
    let entity: Option<EntityId> = entity.map(|id| parse_id(id, "Entity")).transpose()?;
    let store = &request.state.store;
    let tracking = async {
        match &entity {
            Some(id) => store.entity(&request.tenant, id).await,
            None => Ok(None),
        }
    };
    let (groups, tracking) = tokio::try_join!(store.shown_groups(&request.tenant), tracking)?;
    let is_asked_for = |shown: &&GroupDetails| group.as_ref().is_none_or(|id| *id == shown.group.id);
    if !groups.iter().any(|shown| is_asked_for(&shown)) && group.is_some() {
        return Err(ApiError::not_found("Domain group"));
    }
    if entity.is_some() && tracking.is_none() {
        return Err(ApiError::not_found("Entity"));
    }
    let concerns = |shown: &&GroupDetails| entity.as_ref().is_none_or(|id| shown.group.applies_to(id));
    let data: Vec<GroupView<'_>> = groups
        .iter()
        .filter(is_asked_for)
        .filter(concerns)
        .map(GroupView::from)
        .collect();
    ApiResponse::of(&ListGroupsResponse {
        count: data.len(),
        data,
    })
}
