//! The Lambda of the entities group.
#![forbid(unsafe_code)]

use std::sync::Arc;

use entities::{EntitiesState, ROUTES};
use events::Bus;
use lambda_http::Error;
use providers::Providers;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let providers = Arc::new(Providers::from_lookup(runtime::variable));
    api::run(env!("CARGO_PKG_NAME"), ROUTES, |api, settings, aws| {
        EntitiesState {
            api,
            bus: Bus::new(aws, &settings.bus),
            providers,
            frequency_hours: settings.frequency_hours,
        }
    })
    .await
}
