//! The Lambda function of the notifier.
#![forbid(unsafe_code)]

use std::sync::Arc;

use domain::webhook::Targets;
use lambda_runtime::{Error, LambdaEvent, service_fn};
use notifier::Notifier;
use notifier::sender::{Sender, SystemResolver};
use runtime::Bootstrap;
use serde_json::Value;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let bootstrap = Bootstrap::from_environment()?;
    let notifier = Notifier {
        store: bootstrap.store,
        clock: bootstrap.clock,
        sender: Arc::new(Sender::new(Targets::Public, Arc::new(SystemResolver))),
    };
    lambda_runtime::run(service_fn(move |event: LambdaEvent<Value>| {
        let notifier = notifier.clone();
        async move { notifier.invoke(event).await.map_err(Error::from) }
    }))
    .await
}
