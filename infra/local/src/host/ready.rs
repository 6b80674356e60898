//! The line that the host prints when it is ready.

use serde::Serialize;

/// The addresses of the host, which prints them as one line of JSON when it is ready.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Ready {
    pub base_url: String,
    pub console_url: String,
    pub dynamodb_endpoint: String,
    pub events_endpoint: String,
    pub table: String,
    /// The API key of the demo workspace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api_key: Option<String>,
}
