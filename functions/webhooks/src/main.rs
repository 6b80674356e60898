//! The Lambda function of `functions/webhooks`.
#![forbid(unsafe_code)]

use domain::webhook::Targets;
use events::Bus;
use lambda_http::Error;
use webhooks::{ROUTES, WebhooksState};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    api::run(env!("CARGO_PKG_NAME"), ROUTES, |api, bootstrap| WebhooksState {
        api,
        bus: Bus::new(&bootstrap.aws, &bootstrap.settings.bus),
        targets: Targets::Public,
    })
    .await
}
