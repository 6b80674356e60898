//! The event that a workspace has something to send to its webhooks.

use domain::id::WorkspaceId;
use serde::{Deserialize, Serialize};

use crate::bus_event::BusEvent;
use crate::envelope::{Envelope, Unreadable};

/// A workspace has events to pass on, or deliveries to send. The table has what they are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NotificationsDue {
    pub workspace_id: WorkspaceId,
}

impl NotificationsDue {
    /// The `source`, which the rule of the bus matches.
    pub const SOURCE: &str = "visibility.notifications";
    pub const DETAIL_TYPE: &str = "NotificationsDue";

    /// Decodes an EventBridge envelope.
    pub fn from_envelope(envelope: &str) -> Result<Self, Unreadable> {
        let envelope = Envelope::parse(envelope, Self::SOURCE)?;
        if envelope.detail_type != Self::DETAIL_TYPE {
            return Err(Unreadable("its detail-type is unknown"));
        }
        envelope.detail()
    }
}

impl BusEvent for NotificationsDue {
    fn source(&self) -> &'static str {
        Self::SOURCE
    }

    fn detail_type(&self) -> &'static str {
        Self::DETAIL_TYPE
    }

    fn detail(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_reads_back_from_its_envelope_and_a_damaged_one_is_refused() {
        let event = NotificationsDue {
            workspace_id: "aaaaaaaaaaaaaaaa".parse().unwrap(),
        };
        let envelope = |source: &str, detail_type: &str, detail: &str| {
            format!(r#"{{"source":"{source}","detail-type":"{detail_type}","detail":{detail}}}"#)
        };
        let detail = event.detail().unwrap();
        let sent = envelope(event.source(), event.detail_type(), &detail);
        assert_eq!(NotificationsDue::from_envelope(&sent), Ok(event));
        for damaged in [
            String::new(),
            envelope("aws.s3", "NotificationsDue", &detail),
            envelope("visibility.notifications", "Other", &detail),
            envelope("visibility.notifications", "NotificationsDue", "{}"),
        ] {
            assert!(NotificationsDue::from_envelope(&damaged).is_err(), "{damaged}");
        }
    }
}
