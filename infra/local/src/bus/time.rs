//! Instants and durations of the bus.

use std::time::Duration;

use domain::time::Timestamp;

/// The maximum duration of a wait. An instant further away may not be representable.
pub(super) const MAX_WAIT: Duration = Duration::from_secs(365 * 86_400);

/// Formats an instant as EventBridge does, in whole seconds: `2026-01-31T08:00:00Z`.
pub(super) fn iso_seconds(at: Timestamp) -> String {
    let iso = at.iso();
    format!("{}Z", iso.get(..19).unwrap_or_default())
}
