//! `POST /domain-groups`

use api::{ApiError, ApiRequest, ApiResponse, ApiState};
use domain::error::InvalidField;
use domain::group::{BrandReference, GroupDetails};
use store::NewGroup;

use crate::fields::{parse_members, parse_name, parse_reference};
use crate::view::{GroupResponse, GroupView};

/// Creates a domain group, and returns it.
///
/// Returns 400 if the body is invalid, 403 if a limit would be exceeded, 404 if a member or the scope does
/// not exist, and 409 if a member is in another group.
pub(crate) async fn create(request: ApiRequest<ApiState>) -> Result<ApiResponse, ApiError> {
    let body = request.body()?;
    let new = NewGroup {
        name: parse_name(&body)?,
        primary: BrandReference::parse(body.required_text("primaryEntity")?),
        members: parse_members(&body)?.ok_or_else(|| InvalidField::new("entities", "is required"))?,
        scope: parse_reference(&body, "entityId")?,
    };
    let to_response = |created: &GroupDetails| {
        ApiResponse::from_fields(&GroupResponse {
            data: GroupView::from(created),
            message: "Domain group created",
        })
    };
    let (store, recorder) = (request.store(), request.reply_recorder(&to_response));
    let created = store.create_group(&request.tenant, &new, &recorder).await?;
    to_response(&created)
}
