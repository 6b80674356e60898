//! The envelope of successful responses.

use serde::Serialize;

use crate::ApiError;

/// The JSON text of a successful response. Its status is 200, and its first field is `"success": true`.
#[derive(Debug, Clone)]
pub struct ApiResponse(pub(crate) String);

#[derive(Serialize)]
struct Envelope<T> {
    success: bool,
    #[serde(flatten)]
    fields: T,
}

impl ApiResponse {
    /// Creates the response `{"success": true}`.
    pub fn success() -> Self {
        Self(r#"{"success":true}"#.to_owned())
    }

    /// Creates a response with `fields`, which must serialize to an object, in the envelope. Returns 500 if
    /// they do not.
    pub fn from_fields(fields: &impl Serialize) -> Result<Self, ApiError> {
        let success = true;
        serde_json::to_string(&Envelope { success, fields })
            .map(Self)
            .map_err(ApiError::internal)
    }

    pub(crate) fn into_json(self) -> String {
        self.0
    }
}
