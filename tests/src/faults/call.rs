//! What was called, and when.

use std::time::Instant;

use serde_json::Value;

use super::Fault;

/// One request that the SDK sent, its own retries included.
#[derive(Debug, Clone)]
pub struct AwsCall {
    /// `GetItem`, `PutEvents`…
    pub operation: String,
    pub request: Value,
    pub started: Instant,
    /// When its response began to arrive; `None` while it is under way, or if it never does.
    pub ended: Option<Instant>,
    pub fault: Option<Fault>,
    /// The HTTP status that the real endpoint gave, whatever the caller saw.
    pub status: Option<u16>,
}

impl AwsCall {
    /// It changed the table.
    pub fn took_effect(&self) -> bool {
        self.status == Some(200)
    }
}

/// The longest chain of calls of which each started after the one before had ended.
pub fn depth(calls: &[AwsCall]) -> usize {
    let mut calls: Vec<&AwsCall> = calls.iter().collect();
    calls.sort_by_key(|call| call.started);
    let mut depths: Vec<usize> = Vec::with_capacity(calls.len());
    for (place, call) in calls.iter().enumerate() {
        let before = calls[..place]
            .iter()
            .zip(&depths)
            .filter(|(earlier, _)| earlier.ended.is_some_and(|ended| ended <= call.started));
        depths.push(1 + before.map(|(_, depth)| *depth).max().unwrap_or_default());
    }
    depths.into_iter().max().unwrap_or_default()
}
