//! The account and the region in the events of this host.

/// The account that every event names.
pub(crate) const ACCOUNT: &str = "000000000000";
/// The region that every event names.
pub(crate) const REGION: &str = "us-east-1";
