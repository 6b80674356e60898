//! The configuration of the AWS clients: one HTTP client with ring, bounded timeouts and few retries.

use std::time::Duration;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::interceptors::InterceptorContext;
use aws_sdk_dynamodb::config::retry::{ClassifyRetry, RetryAction, RetryConfig};
use aws_sdk_dynamodb::config::timeout::TimeoutConfig;
use aws_sdk_dynamodb::config::{
    BehaviorVersion, Credentials, Region, SharedCredentialsProvider, SharedHttpClient,
    StalledStreamProtectionConfig,
};
use aws_smithy_http_client::Builder;
use aws_smithy_http_client::tls::Provider;
use aws_smithy_http_client::tls::rustls_provider::CryptoMode;
use aws_types::SdkConfig;
use aws_types::sdk_config;
use aws_types::service_config::{LoadServiceConfig, ServiceConfigKey};

/// Returns the version of the SDK's defaults.
pub fn behavior() -> BehaviorVersion {
    BehaviorVersion::v2026_01_12()
}

/// Returns the configuration from the environment of a Lambda function: the region, the credentials of its
/// role, and the endpoints (`AWS_ENDPOINT_URL_DYNAMODB` and so on, or `AWS_ENDPOINT_URL`) if they are not the
/// default ones. It reads no file and tries no other source of credentials, so a function neither links such
/// sources nor waits for them.
pub fn from_environment(lookup: fn(&str) -> Option<String>) -> SdkConfig {
    let mut aws = SdkConfig::builder()
        .behavior_version(behavior())
        .region(lookup("AWS_REGION").map(Region::new))
        .service_config(Endpoints(lookup));
    if let (Some(id), Some(secret)) = (lookup("AWS_ACCESS_KEY_ID"), lookup("AWS_SECRET_ACCESS_KEY")) {
        let token = lookup("AWS_SESSION_TOKEN");
        aws.set_credentials_provider(Some(credentials(id, secret, token, "environment")));
    }
    with_client_settings(aws, 1)
}

/// Returns a configuration with one endpoint and placeholder credentials, for the local host and the tests.
pub fn to_endpoint(endpoint: &str) -> SdkConfig {
    let aws = SdkConfig::builder()
        .behavior_version(behavior())
        .region(Region::from_static("us-east-1"))
        .credentials_provider(credentials("local", "local", None, "local"))
        .endpoint_url(endpoint);
    // There, one process runs everything, and the machine can be busy.
    with_client_settings(aws, 5)
}

/// Returns the configuration with this service's HTTP client, timeouts and retries.
pub fn with_service_client(aws: SdkConfig) -> SdkConfig {
    with_client_settings(aws.into_builder(), 1)
}

/// Returns an HTTP client with the only TLS stack of the service.
pub fn http_client() -> SharedHttpClient {
    Builder::new()
        .tls_provider(Provider::Rustls(CryptoMode::Ring))
        .build_https()
}

pub(crate) fn client(aws: &SdkConfig) -> Client {
    let config = aws_sdk_dynamodb::config::Builder::from(aws);
    Client::from_conf(config.retry_classifier(Unreadable).build())
}

/// Retries calls whose successful response cannot be decoded, as after a lost response.
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

fn credentials(
    id: impl Into<String>,
    secret: impl Into<String>,
    token: Option<String>,
    source: &'static str,
) -> SharedCredentialsProvider {
    SharedCredentialsProvider::new(Credentials::new(id, secret, token, None, source))
}

/// Returns the timeouts of a deployed function, multiplied by `factor`. The SDK's reads have none by default,
/// and an API request must end before its client gives up.
pub fn timeouts(factor: u64) -> TimeoutConfig {
    TimeoutConfig::builder()
        .connect_timeout(Duration::from_secs(2 * factor))
        .operation_attempt_timeout(Duration::from_secs(5 * factor))
        .operation_timeout(Duration::from_secs(12 * factor))
        .build()
}

fn with_client_settings(aws: sdk_config::Builder, factor: u64) -> SdkConfig {
    aws.http_client(http_client())
        .retry_config(RetryConfig::standard().with_max_attempts(3))
        .timeout_config(timeouts(factor))
        .stalled_stream_protection(StalledStreamProtectionConfig::disabled())
        .build()
}

/// The endpoints from the environment, by the names that all AWS SDKs use.
#[derive(Debug)]
struct Endpoints(fn(&str) -> Option<String>);

impl LoadServiceConfig for Endpoints {
    fn load_config(&self, key: ServiceConfigKey<'_>) -> Option<String> {
        let service = key.service_id().to_uppercase().replace(' ', "_");
        (self.0)(&format!("{}_{service}", key.env())).or_else(|| (self.0)(key.env()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(service: &str) -> Option<String> {
        let endpoints = Endpoints(|name| match name {
            "AWS_ENDPOINT_URL_DYNAMODB" => Some("http://table".to_owned()),
            "AWS_ENDPOINT_URL_SECRETS_MANAGER" => Some("http://secrets".to_owned()),
            "AWS_ENDPOINT_URL" => Some("http://all".to_owned()),
            _ => None,
        });
        let key = ServiceConfigKey::builder()
            .service_id(service)
            .profile("endpoint_url")
            .env("AWS_ENDPOINT_URL");
        endpoints.load_config(key.build().unwrap())
    }

    #[test]
    fn the_endpoint_of_a_service_takes_precedence_over_the_common_one() {
        assert_eq!(load("DynamoDB").as_deref(), Some("http://table"));
        assert_eq!(load("Secrets Manager").as_deref(), Some("http://secrets"));
        assert_eq!(load("EventBridge").as_deref(), Some("http://all"));
    }

    #[test]
    fn a_function_signs_with_its_roles_credentials_or_not_at_all() {
        let full = from_environment(|name| Some(name.to_lowercase()));
        assert_eq!(full.region().map(AsRef::as_ref), Some("aws_region"));
        assert!(full.credentials_provider().is_some());
        let empty = from_environment(|name| (name == "AWS_ACCESS_KEY_ID").then(String::new));
        assert!(empty.region().is_none() && empty.credentials_provider().is_none());
    }
}
