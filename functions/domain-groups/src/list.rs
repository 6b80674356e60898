//! `GET /domain-groups`

use api::{ApiError, App, Call, Reply, subject};
use domain::group::ShownGroup;
use domain::id::{EntityId, GroupId};
use serde::Serialize;

use crate::view::GroupView;

#[derive(Serialize)]
struct Listed<'a> {
    data: Vec<GroupView<'a>>,
    count: usize,
}

/// The workspace's groups, oldest first: the one asked for, or those that concern an entity.
pub(crate) async fn list(call: Call<App>) -> Result<Reply, ApiError> {
    let (group, entity) = (call.query.text("groupId")?, call.query.text("entityId")?);
    let group: Option<GroupId> = group.map(|id| subject(id, "Domain group")).transpose()?;
    let entity: Option<EntityId> = entity.map(|id| subject(id, "Entity")).transpose()?;
    let store = &call.state.store;
    let tracking = async {
        match &entity {
            Some(id) => store.entity(&call.tenant, id).await,
            None => Ok(None),
        }
    };
    let (groups, tracking) = tokio::try_join!(store.shown_groups(&call.tenant), tracking)?;
    let is_asked_for = |shown: &&ShownGroup| group.as_ref().is_none_or(|id| *id == shown.group.id);
    if !groups.iter().any(|shown| is_asked_for(&shown)) && group.is_some() {
        return Err(ApiError::not_found("Domain group"));
    }
    if entity.is_some() && tracking.is_none() {
        return Err(ApiError::not_found("Entity"));
    }
    let concerns = |shown: &&ShownGroup| entity.as_ref().is_none_or(|id| shown.group.concerns(id));
    let data: Vec<GroupView<'_>> = groups
        .iter()
        .filter(is_asked_for)
        .filter(concerns)
        .map(GroupView::from)
        .collect();
    Reply::of(&Listed {
        count: data.len(),
        data,
    })
}
