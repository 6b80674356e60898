//! Publishes events on EventBridge.

use std::time::Duration;

use aws_sdk_eventbridge::Client;
use aws_sdk_eventbridge::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_eventbridge::types::PutEventsRequestEntry;
use aws_types::SdkConfig;
use domain::backoff::Backoff;
use thiserror::Error;

use crate::BusEvent;

/// The part of a request's time that it can wait for the event bus.
const PUBLISH_TIMEOUT: Duration = Duration::from_secs(5);
/// The maximum number of entries of one PutEvents call.
const BATCH: usize = 10;
/// The attempts at one batch. The tick publishes again what was not published.
const MAX_ATTEMPTS: u32 = 3;
/// The delays between those attempts.
const BACKOFF: Backoff = Backoff::new(Duration::from_millis(200), Duration::from_millis(400));

/// The error of publishing events of which some were not published.
#[derive(Debug, Error)]
#[error("{unpublished} events were not published: {reason}")]
pub struct BusError {
    pub unpublished: usize,
    reason: String,
}

/// The client of the event bus. It is cheap to clone.
#[derive(Debug, Clone)]
pub struct Bus {
    client: Client,
    name: String,
}

impl Bus {
    /// Creates a client of the bus named `name`.
    pub fn new(aws: &SdkConfig, name: impl Into<String>) -> Self {
        Self {
            client: Client::new(aws),
            name: name.into(),
        }
    }

    /// Publishes events in batches of 10. Entries that the bus rejects are retried.
    ///
    /// # Errors
    ///
    /// Returns how many events were not published after three attempts.
    pub async fn publish<E: BusEvent>(&self, events: &[E]) -> Result<(), BusError> {
        let mut failed = Vec::new();
        for batch in events.chunks(BATCH) {
            if let Err(error) = self.publish_batch(batch).await {
                failed.push(error);
            }
        }
        match failed.pop() {
            None => Ok(()),
            Some(last) => Err(BusError {
                unpublished: last.unpublished + failed.iter().map(|e| e.unpublished).sum::<usize>(),
                reason: last.reason,
            }),
        }
    }

    /// Publishes an event for a client, and logs a warning if that fails. The request has taken effect, so it
    /// succeeds either way and does not wait long for a slow bus. The table contains everything that the
    /// event says, so that a tick makes up for it.
    pub async fn publish_or_warn<E: BusEvent>(&self, event: E) {
        let kind = event.detail_type();
        match tokio::time::timeout(PUBLISH_TIMEOUT, self.publish(&[event])).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(event.kind = kind, %error, "an event was not published"),
            Err(_) => tracing::warn!(event.kind = kind, "an event was not published in time"),
        }
    }

    async fn publish_batch<E: BusEvent>(&self, batch: &[E]) -> Result<(), BusError> {
        let bus_error = |unpublished, reason: String| BusError { unpublished, reason };
        let entries: Result<Vec<_>, _> = batch.iter().map(|event| self.entry(event)).collect();
        let mut entries = entries.map_err(|e| bus_error(batch.len(), e.to_string()))?;
        let mut reason = String::new();
        for attempt in 0..MAX_ATTEMPTS {
            if let Some(retry) = attempt.checked_sub(1) {
                tokio::time::sleep(BACKOFF.delay(retry, 0.0)).await;
            }
            let request = self.client.put_events().set_entries(Some(entries.clone()));
            match request.send().await {
                Ok(sent) if sent.failed_entry_count() == 0 => return Ok(()),
                Ok(sent) => {
                    let mut results = sent.entries().iter();
                    entries.retain(|_| results.next().is_none_or(|r| r.error_code().is_some()));
                    let code = sent.entries().iter().find_map(|r| r.error_code());
                    reason = code.unwrap_or("rejected").to_owned();
                }
                // The SDK's own text can quote the response.
                Err(SdkError::TimeoutError(_)) => reason = "no response in time".to_owned(),
                Err(error) => reason = error.code().unwrap_or("no response").to_owned(),
            }
        }
        Err(bus_error(entries.len(), reason))
    }

    fn entry(&self, event: &impl BusEvent) -> Result<PutEventsRequestEntry, serde_json::Error> {
        Ok(PutEventsRequestEntry::builder()
            .event_bus_name(&self.name)
            .source(event.source())
            .detail_type(event.detail_type())
            .detail(event.detail()?)
            .build())
    }
}
