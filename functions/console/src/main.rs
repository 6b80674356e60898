//! The Lambda function of `functions/console`.
#![forbid(unsafe_code)]

use std::sync::Arc;

use lambda_http::Error;
use runtime::{Settings, SystemClock};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let settings = Settings::from_environment()?;
    let (level, metrics) = (&settings.log_level, &settings.metrics_namespace);
    runtime::start_logging(level.as_deref(), metrics.as_deref(), runtime::stdout);
    serving::run(console::service(Arc::new(SystemClock))).await
}
