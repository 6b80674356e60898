//! The Lambda function of the checker.
#![forbid(unsafe_code)]

use std::sync::Arc;

use checker::Checker;
use events::Bus;
use lambda_runtime::{Error, LambdaEvent, service_fn};
use runtime::Bootstrap;
use serde_json::Value;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let bootstrap = Bootstrap::from_environment()?;
    let (aws, clock) = (&bootstrap.aws, bootstrap.clock.clone());
    let checker = Checker {
        bus: Bus::new(aws, &bootstrap.settings.bus),
        providers: Arc::new(providers::from_environment(
            aws,
            clock,
            runtime::environment_variable,
        )),
        store: bootstrap.store,
        catalogue: bootstrap.catalogue,
        clock: bootstrap.clock,
        shard_concurrency: bootstrap.settings.shard_concurrency,
    };
    lambda_runtime::run(service_fn(move |event: LambdaEvent<Value>| {
        let checker = checker.clone();
        async move { checker.invoke(event).await.map_err(Error::from) }
    }))
    .await
}
