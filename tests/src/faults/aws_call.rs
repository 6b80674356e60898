//! A recorded call of the AWS SDK.

use std::time::Instant;

use serde_json::Value;

use super::fault::Fault;

/// A request that the SDK sent. A retry is a call of its own.
#[derive(Debug, Clone)]
pub struct AwsCall {
    /// The operation's name, such as `GetItem` or `PutEvents`.
    pub operation: String,
    pub request: Value,
    pub started: Instant,
    /// When the response began to arrive. `None` while there is no response.
    pub ended: Option<Instant>,
    pub fault: Option<Fault>,
    /// The HTTP status that the endpoint returned, whatever the caller received.
    pub status: Option<u16>,
}

impl AwsCall {
    /// Returns whether the endpoint executed the call.
    pub fn took_effect(&self) -> bool {
        self.status == Some(200)
    }
}

/// Returns the length of the longest chain of calls in which each call started after the previous one had
/// ended.
pub fn serial_depth(calls: &[AwsCall]) -> usize {
    let mut calls: Vec<&AwsCall> = calls.iter().collect();
    calls.sort_by_key(|call| call.started);
    let mut depths: Vec<usize> = Vec::with_capacity(calls.len());
    for (index, call) in calls.iter().enumerate() {
        let before = calls[..index]
            .iter()
            .zip(&depths)
            .filter(|(earlier, _)| earlier.ended.is_some_and(|ended| ended <= call.started));
        depths.push(1 + before.map(|(_, depth)| *depth).max().unwrap_or_default());
    }
    depths.into_iter().max().unwrap_or_default()
}
