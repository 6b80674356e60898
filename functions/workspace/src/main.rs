//! The Lambda function of `functions/workspace`.
#![forbid(unsafe_code)]

use lambda_http::Error;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    api::run(env!("CARGO_PKG_NAME"), workspace::ROUTES, |api, _| api).await
}
