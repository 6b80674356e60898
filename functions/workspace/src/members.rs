//! `GET /workspace/members`

use api::{ApiError, ApiRequest, ApiResponse, ApiState};
use domain::id::MemberId;
use domain::member::{Member, MemberStatus, Role};
use serde::Serialize;
use uuid::Uuid;

#[derive(Serialize)]
struct ListMembersResponse<'a> {
    data: Vec<MemberView<'a>>,
    count: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MemberView<'a> {
    id: &'a MemberId,
    user_id: Uuid,
    email: &'a str,
    name: &'a str,
    role: Role,
    status: MemberStatus,
}

impl<'a> From<&'a Member> for MemberView<'a> {
    fn from(member: &'a Member) -> Self {
        Self {
            id: &member.id,
            user_id: member.user_id,
            email: &member.email,
            name: &member.name,
            role: member.role,
            status: member.status,
        }
    }
}

/// The workspace's members, in the order in which they came.
pub(crate) async fn list(request: ApiRequest<ApiState>) -> Result<ApiResponse, ApiError> {
    let members = request.state.store.members(&request.tenant).await?;
    ApiResponse::of(&ListMembersResponse {
        data: members.iter().map(MemberView::from).collect(),
        count: members.len(),
    })
}
