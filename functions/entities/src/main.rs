//! The Lambda function of `functions/entities`.
#![forbid(unsafe_code)]

use std::sync::Arc;

use entities::{EntitiesState, ROUTES};
use events::Bus;
use lambda_http::Error;
use providers::Providers;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let providers = Arc::new(Providers::from_lookup(runtime::environment_variable));
    api::run(env!("CARGO_PKG_NAME"), ROUTES, |api, bootstrap| EntitiesState {
        api,
        bus: Bus::new(&bootstrap.aws, &bootstrap.settings.bus),
        providers,
        frequency_hours: bootstrap.settings.frequency_hours,
    })
    .await
}
