//! How the AWS clients are made: one HTTP client with ring, bounded time-outs, few retries.

use std::time::Duration;

use aws_config::{BehaviorVersion, SdkConfig};
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::interceptors::InterceptorContext;
use aws_sdk_dynamodb::config::retry::{ClassifyRetry, RetryAction, RetryConfig};
use aws_sdk_dynamodb::config::timeout::TimeoutConfig;
use aws_sdk_dynamodb::config::{Credentials, Region, SharedHttpClient, StalledStreamProtectionConfig};
use aws_smithy_http_client::Builder;
use aws_smithy_http_client::tls::Provider;
use aws_smithy_http_client::tls::rustls_provider::CryptoMode;

/// Region, credentials and endpoints as the environment gives them.
pub async fn from_environment() -> SdkConfig {
    aws_config::defaults(BehaviorVersion::v2026_01_12())
        .http_client(http_client())
        .retry_config(RetryConfig::standard().with_max_attempts(3))
        .timeout_config(timeouts(1))
        .stalled_stream_protection(StalledStreamProtectionConfig::disabled())
        .load()
        .await
}

/// One endpoint, with credentials that open nothing: the local host and the tests.
pub fn to_endpoint(endpoint: &str) -> SdkConfig {
    SdkConfig::builder()
        .behavior_version(BehaviorVersion::v2026_01_12())
        .region(Region::from_static("us-east-1"))
        .credentials_provider(aws_sdk_dynamodb::config::SharedCredentialsProvider::new(
            Credentials::new("local", "local", None, None, "local"),
        ))
        .endpoint_url(endpoint)
        .http_client(http_client())
        .retry_config(RetryConfig::standard().with_max_attempts(3))
        // One process does everything there, on a machine that may be busy.
        .timeout_config(timeouts(5))
        .stalled_stream_protection(StalledStreamProtectionConfig::disabled())
        .build()
}

pub(crate) fn client(aws: &SdkConfig) -> Client {
    let config = aws_sdk_dynamodb::config::Builder::from(aws);
    Client::from_conf(config.retry_classifier(Unreadable).build())
}

/// A success whose body cannot be read says nothing: the call is made again, as after a lost answer.
#[derive(Debug)]
struct Unreadable;

impl ClassifyRetry for Unreadable {
    fn classify_retry(&self, context: &InterceptorContext) -> RetryAction {
        let is_success = context.response().is_some_and(|r| r.status().is_success());
        if is_success && context.output_or_error().is_some_and(|read| read.is_err()) {
            RetryAction::transient_error()
        } else {
            RetryAction::NoActionIndicated
        }
    }

    fn name(&self) -> &'static str {
        "unreadable success"
    }
}

fn http_client() -> SharedHttpClient {
    Builder::new()
        .tls_provider(Provider::Rustls(CryptoMode::Ring))
        .build_https()
}

/// So many times the time-outs of a deployed function. Reads have none by default, and an API request has to end
/// before its client gives up.
pub fn timeouts(times: u64) -> TimeoutConfig {
    TimeoutConfig::builder()
        .connect_timeout(Duration::from_secs(2 * times))
        .operation_attempt_timeout(Duration::from_secs(5 * times))
        .operation_timeout(Duration::from_secs(12 * times))
        .build()
}
