//! The Lambda function of `functions/mcp`.
#![forbid(unsafe_code)]

use std::sync::Arc;

use analytics::AnalyticsState;
use entities::EntitiesState;
use events::Bus;
use lambda_http::Error;
use mcp::McpState;
use providers::Providers;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    // No tool asks a provider.
    let providers = Arc::new(Providers::from_lookup(|_| None));
    api::run_service(|api, bootstrap| {
        mcp::service(McpState {
            analytics: AnalyticsState::new(api.clone()),
            entities: EntitiesState {
                api,
                bus: Bus::new(&bootstrap.aws, &bootstrap.settings.bus),
                providers,
                frequency_hours: bootstrap.settings.frequency_hours,
            },
        })
    })
    .await
}
