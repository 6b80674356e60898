//! Reads the secret that contains the providers' settings from AWS Secrets Manager.

use std::sync::Arc;

use aws_sdk_secretsmanager::Client;
use aws_sdk_secretsmanager::error::{ProvideErrorMetadata, SdkError};
use aws_types::SdkConfig;
use domain::clock::Clock;

use crate::provider::BoxFuture;
use crate::registry::Providers;
use crate::secret::{SecretError, SecretSource};

/// The variable that contains the secret's ARN.
pub const SECRET_ID: &str = "SECRET_ID";

/// The errors of reading a secret that only an operator can repair: the role may not read it, there is no
/// such secret or no current value, or it is marked for deletion (`InvalidRequestException`). All other
/// errors can pass by themselves.
const UNUSABLE: [&str; 3] = [
    "AccessDeniedException",
    "ResourceNotFoundException",
    "InvalidRequestException",
];

/// Returns the providers that the environment configures. If `SECRET_ID` names a secret, each setting that is
/// missing in the environment is read from it on first use.
pub fn from_environment(
    aws: &SdkConfig,
    clock: Arc<dyn Clock>,
    lookup: impl Fn(&str) -> Option<String>,
) -> Providers {
    match lookup(SECRET_ID) {
        Some(id) => Providers::with_secret(lookup, Arc::new(SecretsManager::new(aws, id)), clock),
        None => Providers::from_lookup(lookup),
    }
}

/// A secret in AWS Secrets Manager.
#[derive(Debug)]
struct SecretsManager {
    client: Client,
    id: String,
}

impl SecretsManager {
    fn new(aws: &SdkConfig, id: String) -> Self {
        Self {
            client: Client::new(aws),
            id,
        }
    }
}

impl SecretSource for SecretsManager {
    fn read(&self) -> BoxFuture<'_, Result<String, SecretError>> {
        Box::pin(async {
            let read = self.client.get_secret_value().secret_id(&self.id).send().await;
            let secret = read.map_err(|error| classify(&error))?;
            secret
                .secret_string
                .ok_or_else(|| SecretError::Unusable("its value is no text".to_owned()))
        })
    }
}

/// Classifies an error by its code. The SDK's own text can quote the response.
fn classify<E: ProvideErrorMetadata, R>(error: &SdkError<E, R>) -> SecretError {
    let code = match error {
        SdkError::TimeoutError(_) => "no response in time",
        error => error.code().unwrap_or("no response"),
    };
    if UNUSABLE.contains(&code) {
        SecretError::Unusable(code.to_owned())
    } else {
        SecretError::Unavailable(code.to_owned())
    }
}
