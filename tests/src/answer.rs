//! What the API answered.

use serde_json::Value;

#[derive(Debug, Clone)]
pub struct ApiResponse {
    pub status: u16,
    pub headers: reqwest::header::HeaderMap,
    /// The body as it came.
    pub text: String,
    pub body: Value,
}

impl ApiResponse {
    /// The body of a success.
    #[track_caller]
    pub fn ok(self) -> Value {
        assert_eq!(self.status, 200, "{}", self.body);
        assert_eq!(self.body["success"], true, "{}", self.body);
        self.body
    }

    /// The text of an error with this status.
    #[track_caller]
    pub fn error(self, status: u16) -> String {
        assert_eq!(self.status, status, "{}", self.body);
        self.body["error"]
            .as_str()
            .expect("an error has a text")
            .to_owned()
    }

    /// The table was out of reach: the same request may succeed later.
    pub fn is_unavailable(&self) -> bool {
        self.status == 503 && self.body["error"] == "The service is temporarily unavailable"
    }

    /// Whoever is told to come again is told when, in whole seconds, in the body and in the header; nobody else is.
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
