//! `GET /workspace`

use api::{ApiError, ApiRequest, ApiResponse, ApiState};
use domain::id::WorkspaceId;
use domain::time::Timestamp;
use domain::workspace::{Credits, SubscriptionStatus, Workspace};
use serde::Serialize;

#[derive(Serialize, schemars::JsonSchema)]
pub struct WorkspaceResponse {
    data: WorkspaceDataView,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "WorkspaceDetails")]
struct WorkspaceDataView {
    workspace: WorkspaceView,
    subscription: SubscriptionView,
    usage: UsageView,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "Workspace")]
struct WorkspaceView {
    /// The workspace's id.
    id: WorkspaceId,
    /// The workspace's name.
    name: String,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "Subscription")]
#[serde(rename_all = "camelCase")]
struct SubscriptionView {
    /// The plan's name.
    plan_name: String,
    /// The state of the subscription. If it is `canceled`, writes are refused and no checks run, but reads
    /// work.
    status: SubscriptionStatus,
    /// When the subscription ends, in Unix milliseconds. From then on, writes are refused and no checks run,
    /// but reads work. Null without an end.
    #[schemars(with = "Option<i64>")]
    expires_at: Option<Timestamp>,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "WorkspaceUsage")]
#[serde(rename_all = "camelCase")]
struct UsageView {
    entities: LimitUsageView,
    prompts: LimitUsageView,
    team_members: LimitUsageView,
    credits: CreditUsageView,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "LimitUsage")]
struct LimitUsageView {
    /// The number in use.
    used: u32,
    /// The highest number allowed.
    limit: u32,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "CreditUsage")]
#[serde(rename_all = "camelCase")]
struct CreditUsageView {
    /// The credits that can be spent. Credits that a running check has reserved are not included.
    #[schemars(with = "u64")]
    balance: i64,
    /// The credits that answers have cost so far.
    #[schemars(with = "u64")]
    total_used: i64,
}

/// Returns the workspace's plan, the state of its subscription, and how much of its limits and credits is
/// used.
pub(crate) async fn get(request: ApiRequest<ApiState>) -> Result<ApiResponse, ApiError> {
    let store = request.store();
    let (workspace, credits) =
        tokio::try_join!(store.workspace(&request.tenant), store.credits(&request.tenant))?;
    let workspace = workspace.ok_or_else(|| ApiError::internal("a key's workspace does not exist"))?;
    ApiResponse::from_fields(&WorkspaceResponse {
        data: WorkspaceDataView::new(workspace, &credits),
    })
}

impl WorkspaceDataView {
    fn new(workspace: Workspace, credits: &Credits) -> Self {
        Self {
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
        }
    }
}
