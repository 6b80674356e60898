//! The Lambda function of the checker.
#![forbid(unsafe_code)]

use std::sync::Arc;

use checker::Checker;
use domain::catalogue::Catalogue;
use events::Bus;
use lambda_runtime::{Error, LambdaEvent, service_fn};
use providers::Providers;
use runtime::{Settings, SystemClock};
use serde_json::Value;
use store::Store;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let settings = Settings::from_environment()?;
    let (level, metrics) = (&settings.log_level, &settings.metrics_namespace);
    runtime::write_logs(level.as_deref(), metrics.as_deref(), runtime::stdout);
    let aws = store::connect::from_environment(runtime::variable);
    let clock = Arc::new(SystemClock);
    let checker = Checker {
        store: Store::new(&aws, &settings.table, clock.clone()).keeping_responses(settings.response_days),
        bus: Bus::new(&aws, &settings.bus),
        providers: Arc::new(Providers::from_lookup(runtime::variable)),
        catalogue: Arc::new(
            Catalogue::shipped()?.of_providers(settings.providers.iter().map(String::as_str)),
        ),
        clock,
    };
    lambda_runtime::run(service_fn(move |event: LambdaEvent<Value>| {
        let checker = checker.clone();
        async move { checker.invoke(event).await.map_err(Error::from) }
    }))
    .await
}
