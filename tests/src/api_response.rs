//! The API's response to a request.

use std::collections::HashMap;

use serde_json::Value;

/// The API's response to a request.
#[derive(Debug, Clone)]
pub struct ApiResponse {
    pub status: u16,
    pub headers: reqwest::header::HeaderMap,
    /// The body as it was received.
    pub text: String,
    /// The JSON of the body, or the text of a CSV table.
    pub body: Value,
}

impl ApiResponse {
    /// Returns the body of a successful response. Panics if the request failed.
    #[track_caller]
    pub fn ok(self) -> Value {
        assert_eq!(self.status, 200, "{}", self.body);
        assert_eq!(self.body["success"], true, "{}", self.body);
        self.body
    }

    /// Returns the rows of a CSV table, as the cells by the names of their columns. Panics if the response is
    /// no table.
    #[track_caller]
    pub fn table(self) -> Vec<HashMap<String, String>> {
        assert_eq!(self.status, 200, "{}", self.body);
        let media = self.header("content-type");
        assert_eq!(media, Some("text/csv; charset=utf-8; header=present"));
        let mut reader = csv::Reader::from_reader(self.text.as_bytes());
        reader
            .deserialize()
            .map(|row| row.expect("as many cells as columns"))
            .collect()
    }

    /// Returns the text of an error. Panics unless the response has this status.
    #[track_caller]
    pub fn error(self, status: u16) -> String {
        assert_eq!(self.status, status, "{}", self.body);
        self.body["error"]
            .as_str()
            .expect("an error has a text")
            .to_owned()
    }

    /// Returns whether the service was temporarily unavailable, so that a retry may succeed.
    pub fn is_unavailable(&self) -> bool {
        self.status == 503 && self.body["error"] == "The service is temporarily unavailable"
    }

    /// Panics unless exactly the retryable responses state, in the body and in the header, after how many
    /// seconds to retry.
    #[track_caller]
    pub fn assert_retry(&self) {
        let after = self.body.get("retryAfter");
        assert_eq!(after.is_some(), matches!(self.status, 429 | 503), "{}", self.body);
        if let Some(after) = after {
            assert!(after.as_u64().is_some_and(|seconds| seconds > 0), "{}", self.body);
            assert_eq!(self.header("retry-after"), Some(after.to_string().as_str()));
        }
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|h| h.to_str().ok())
    }
}
