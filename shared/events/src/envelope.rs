//! The envelope of EventBridge.

use serde::de::DeserializeOwned;
use serde_json::Value;
use thiserror::Error;

/// The error of an event that cannot be decoded. Its text quotes nothing of the event.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("unreadable event: {0}")]
pub struct Unreadable(pub &'static str);

/// An event as EventBridge delivers it.
pub(crate) struct Envelope {
    pub(crate) detail_type: String,
    detail: Value,
}

impl Envelope {
    /// Parses the envelope of an event from `source`.
    pub(crate) fn parse(envelope: &str, source: &str) -> Result<Self, Unreadable> {
        let mut envelope: Value = serde_json::from_str(envelope).map_err(|_| Unreadable("it is not JSON"))?;
        if envelope.get("source").and_then(Value::as_str) != Some(source) {
            return Err(Unreadable("its source is unknown"));
        }
        let detail_type = envelope.get("detail-type").and_then(Value::as_str);
        Ok(Self {
            detail_type: detail_type.unwrap_or_default().to_owned(),
            detail: envelope.get_mut("detail").map(Value::take).unwrap_or_default(),
        })
    }

    /// Decodes the detail.
    pub(crate) fn detail<T: DeserializeOwned>(self) -> Result<T, Unreadable> {
        serde_json::from_value(self.detail)
            .map_err(|_| Unreadable("its detail lacks an id or has a malformed one"))
    }
}
