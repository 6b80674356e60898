//! The envelope of a success.

use serde::Serialize;

use crate::ApiError;

/// A success: always 200, always `"success": true` first. It holds the JSON text.
#[derive(Debug, Clone)]
pub struct ApiResponse(pub(crate) String);

#[derive(Serialize)]
struct Envelope<T> {
    success: bool,
    #[serde(flatten)]
    fields: T,
}

impl ApiResponse {
    /// A success that has nothing else to say.
    pub fn success() -> Self {
        Self(r#"{"success":true}"#.to_owned())
    }

    /// A success whose fields are those of `fields`, which must serialise to an object.
    pub fn of(fields: &impl Serialize) -> Result<Self, ApiError> {
        let success = true;
        serde_json::to_string(&Envelope { success, fields })
            .map(Self)
            .map_err(ApiError::internal)
    }

    pub(crate) fn into_json(self) -> String {
        self.0
    }
}
