//! `GET /workspace`

use api::{ApiError, ApiRequest, ApiResponse, ApiState};
use domain::id::WorkspaceId;
use domain::time::Timestamp;
use domain::workspace::Status;
use serde::Serialize;

#[derive(Serialize)]
struct WorkspaceResponse {
    data: WorkspaceDataView,
}

#[derive(Serialize)]
struct WorkspaceDataView {
    workspace: WorkspaceView,
    subscription: SubscriptionView,
    usage: UsageView,
}

#[derive(Serialize)]
struct WorkspaceView {
    id: WorkspaceId,
    name: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SubscriptionView {
    plan_name: String,
    status: Status,
    expires_at: Option<Timestamp>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct UsageView {
    entities: LimitUsageView,
    prompts: LimitUsageView,
    team_members: LimitUsageView,
    credits: CreditUsageView,
}

#[derive(Serialize)]
struct LimitUsageView {
    used: u32,
    limit: u32,
}

/// `balance` is what can be spent: credits that a running check has set aside are not in it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CreditUsageView {
    balance: i64,
    total_used: i64,
}

pub(crate) async fn get(request: ApiRequest<ApiState>) -> Result<ApiResponse, ApiError> {
    let store = &request.state.store;
    let (workspace, credits) =
        tokio::try_join!(store.workspace(&request.tenant), store.credits(&request.tenant))?;
    let workspace = workspace.ok_or_else(|| ApiError::internal("a key's workspace does not exist"))?;
    ApiResponse::of(&WorkspaceResponse {
        data: WorkspaceDataView {
            workspace: WorkspaceView {
                id: workspace.id,
                name: workspace.name,
            },
            subscription: SubscriptionView {
                plan_name: workspace.plan_name,
                status: workspace.status,
                expires_at: workspace.subscription_ends_at,
            },
            usage: UsageView {
                entities: LimitUsageView {
                    used: workspace.entities_used,
                    limit: workspace.entities_limit,
                },
                prompts: LimitUsageView {
                    used: workspace.prompts_used,
                    limit: workspace.prompts_limit,
                },
                team_members: LimitUsageView {
                    used: workspace.members_used,
                    limit: workspace.members_limit,
                },
                credits: CreditUsageView {
                    balance: credits.balance,
                    total_used: credits.total_used,
                },
            },
        },
    })
}
