//! `GET /workspace`

use api::{ApiError, ApiRequest, ApiResponse, ApiState};
use domain::id::WorkspaceId;
use domain::time::Timestamp;
use domain::workspace::Status;
use serde::Serialize;

#[derive(Serialize)]
struct Shown {
    data: Data,
}

#[derive(Serialize)]
struct Data {
    workspace: Named,
    subscription: Subscription,
    usage: Usage,
}

#[derive(Serialize)]
struct Named {
    id: WorkspaceId,
    name: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Subscription {
    plan_name: String,
    status: Status,
    expires_at: Option<Timestamp>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Usage {
    entities: Used,
    prompts: Used,
    team_members: Used,
    credits: CreditUse,
}

#[derive(Serialize)]
struct Used {
    used: u32,
    limit: u32,
}

/// `balance` is what can be spent: credits that a running check has set aside are not in it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CreditUse {
    balance: i64,
    total_used: i64,
}

pub(crate) async fn show(request: ApiRequest<ApiState>) -> Result<ApiResponse, ApiError> {
    let store = &request.state.store;
    let (workspace, credits) =
        tokio::try_join!(store.workspace(&request.tenant), store.credits(&request.tenant))?;
    let workspace = workspace.ok_or_else(|| ApiError::internal("a key's workspace does not exist"))?;
    ApiResponse::of(&Shown {
        data: Data {
            workspace: Named {
                id: workspace.id,
                name: workspace.name,
            },
            subscription: Subscription {
                plan_name: workspace.plan_name,
                status: workspace.status,
                expires_at: workspace.subscription_ends_at,
            },
            usage: Usage {
                entities: Used {
                    used: workspace.entities_used,
                    limit: workspace.entities_limit,
                },
                prompts: Used {
                    used: workspace.prompts_used,
                    limit: workspace.prompts_limit,
                },
                team_members: Used {
                    used: workspace.members_used,
                    limit: workspace.members_limit,
                },
                credits: CreditUse {
                    balance: credits.balance,
                    total_used: credits.total_used,
                },
            },
        },
    })
}
