//! What the API answered.

use serde_json::Value;

#[derive(Debug, Clone)]
pub struct Answer {
    pub status: u16,
    pub headers: reqwest::header::HeaderMap,
    /// The body as it came.
    pub text: String,
    pub body: Value,
}

impl Answer {
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

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|h| h.to_str().ok())
    }
}
