//! The Lambda function of `functions/analytics`.
#![forbid(unsafe_code)]

use lambda_http::Error;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    api::run(env!("CARGO_PKG_NAME"), analytics::ROUTES, |api, _| {
        analytics::AnalyticsState::new(api)
    })
    .await
}
