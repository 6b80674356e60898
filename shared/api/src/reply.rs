//! The envelope of a success.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::ApiError;

/// A success: always 200, always `"success": true` first.
#[derive(Debug, Clone)]
pub struct Reply(pub(crate) Map<String, Value>);

impl Reply {
    /// A success that has nothing else to say.
    pub fn success() -> Self {
        Self(Map::new())
    }

    /// A success whose fields are those of `fields`, which must serialise to an object.
    pub fn of(fields: &impl Serialize) -> Result<Self, ApiError> {
        match serde_json::to_value(fields) {
            Ok(Value::Object(fields)) => Ok(Self(fields)),
            Ok(_) => Err(ApiError::internal("a reply is no object")),
            Err(e) => Err(ApiError::internal(e)),
        }
    }

    /// The reply that was recorded as `json`.
    pub(crate) fn recorded(json: &str) -> Result<Self, ApiError> {
        serde_json::from_str(json).map(Self).map_err(ApiError::internal)
    }

    pub(crate) fn into_json(self) -> String {
        let mut all = Map::with_capacity(self.0.len() + 1);
        all.insert("success".to_owned(), Value::Bool(true));
        all.extend(self.0);
        Value::Object(all).to_string()
    }
}
