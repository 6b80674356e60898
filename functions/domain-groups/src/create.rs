//! `POST /domain-groups`

use api::{ApiError, ApiRequest, ApiResponse, ApiState};
use domain::error::InvalidField;
use domain::group::{BrandReference, GroupDetails};
use store::NewGroup;

use crate::read::{entities, name, reference};
use crate::view::{GroupResponse, GroupView};

pub(crate) async fn create(request: ApiRequest<ApiState>) -> Result<ApiResponse, ApiError> {
    let body = request.body()?;
    let new = NewGroup {
        name: name(&body)?,
        primary: BrandReference::parse(body.required_text("primaryEntity")?),
        members: entities(&body)?.ok_or_else(|| InvalidField::new("entities", "is required"))?,
        scope: reference(&body, "entityId")?,
    };
    let answer = |created: &GroupDetails| {
        ApiResponse::of(&GroupResponse {
            data: GroupView::from(created),
            message: "Domain group created",
        })
    };
    let store = &request.state.store;
    let created = store
        .create_group(&request.tenant, &new, &request.idempotent(&answer))
        .await?;
    answer(&created)
}
