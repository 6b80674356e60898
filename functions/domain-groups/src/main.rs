//! The Lambda function of `functions/domain-groups`.
#![forbid(unsafe_code)]

use lambda_http::Error;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    api::run(env!("CARGO_PKG_NAME"), domain_groups::ROUTES, |api, _| api).await
}
