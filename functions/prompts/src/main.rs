//! The Lambda function of `functions/prompts`.
#![forbid(unsafe_code)]

use lambda_http::Error;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    api::run(env!("CARGO_PKG_NAME"), prompts::ROUTES, |api, _| {
        analytics::AnalyticsState::new(api)
    })
    .await
}
