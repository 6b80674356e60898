//! `GET /workspace/members`

use api::{ApiError, ApiRequest, ApiResponse, ApiState, Columns};
use domain::id::MemberId;
use domain::member::{Member, MemberStatus, Role};
use serde::Serialize;
use uuid::Uuid;

#[derive(Serialize, schemars::JsonSchema)]
pub struct ListMembersResponse<'a> {
    /// The members.
    data: Vec<MemberView<'a>>,
    /// The number of members in `data`.
    count: usize,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "Member")]
#[serde(rename_all = "camelCase")]
struct MemberView<'a> {
    /// The membership's id.
    id: &'a MemberId,
    /// The person's UUID, the same in every workspace. `assignees` of a task takes it.
    user_id: Uuid,
    /// The member's email address.
    email: &'a str,
    /// The member's name.
    name: &'a str,
    /// What the member may do.
    role: Role,
    /// The membership's state. Only active members can be assigned to tasks.
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

/// The columns of the table.
pub(crate) const COLUMNS: Columns = &["id", "userId", "email", "name", "role", "status"];

/// Returns the workspace's members, in the order in which they joined.
pub(crate) async fn list(request: ApiRequest<ApiState>) -> Result<ApiResponse, ApiError> {
    let members = request.store().members(&request.tenant).await?;
    ApiResponse::from_fields(&ListMembersResponse {
        data: members.iter().map(MemberView::from).collect(),
        count: members.len(),
    })
}
