//! The Lambda function of `functions/entities`.
#![forbid(unsafe_code)]

use std::sync::Arc;

use entities::{EntitiesState, ROUTES};
use events::Bus;
use lambda_http::Error;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    api::run(env!("CARGO_PKG_NAME"), ROUTES, |api, bootstrap| {
        let (aws, clock) = (&bootstrap.aws, bootstrap.clock.clone());
        EntitiesState {
            api,
            bus: Bus::new(aws, &bootstrap.settings.bus),
            providers: Arc::new(providers::from_environment(
                aws,
                clock,
                runtime::environment_variable,
            )),
            frequency_hours: bootstrap.settings.frequency_hours,
        }
    })
    .await
}
