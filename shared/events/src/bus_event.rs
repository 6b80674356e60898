//! What can be published on the bus.

/// An event in its form on EventBridge.
pub trait BusEvent {
    /// Returns EventBridge's `source`.
    fn source(&self) -> &'static str;

    /// Returns EventBridge's `detail-type`.
    fn detail_type(&self) -> &'static str;

    /// Returns EventBridge's `detail` as JSON text.
    fn detail(&self) -> Result<String, serde_json::Error>;
}
