//! Retries against a busy table, and the loop that reads, decides and writes.

use std::time::Duration;

use domain::backoff::Backoff;

use crate::{Store, StoreError};

/// The attempts to read, decide and write before an item counts as too busy. Each failed attempt means that
/// another write succeeded.
pub(crate) const MAX_CONFLICTS: u32 = 40;
/// The delays between those attempts. Without them, concurrent writers would keep conflicting.
const CONFLICT_BACKOFF: Backoff =
    Backoff::new(Duration::from_millis(20), Duration::from_millis(320)).with_jitter(0.75);
/// The delays between attempts at one request.
const REQUEST_BACKOFF: Backoff =
    Backoff::new(Duration::from_millis(40), Duration::from_millis(640)).with_jitter(0.75);

/// The result of one attempt to read, decide and write.
pub(crate) enum Attempt<T> {
    Done(T),
    /// Another write changed what the attempt had read.
    Retry,
}

/// Waits before a request is retried. Retries are counted from 0.
pub(crate) async fn back_off(retry: u32) {
    tokio::time::sleep(REQUEST_BACKOFF.delay(retry, rand::random())).await;
}

/// Waits after another write changed what an attempt had read. Attempts are counted from 0.
pub(crate) async fn back_off_from_conflict(retry: u32) {
    tokio::time::sleep(CONFLICT_BACKOFF.delay(retry, rand::random())).await;
}

impl Store {
    /// Repeats `attempt`, which reads, decides and writes, until it is done.
    ///
    /// # Errors
    ///
    /// Returns [`StoreError::Unavailable`] after 40 attempts. Its text names `subject` as what keeps
    /// changing.
    pub(crate) async fn retry_on_conflict<T, E, F>(
        &self,
        subject: &str,
        mut attempt: impl FnMut() -> F,
    ) -> Result<T, E>
    where
        E: From<StoreError>,
        F: Future<Output = Result<Attempt<T>, E>>,
    {
        for retry in 0..MAX_CONFLICTS {
            if let Attempt::Done(value) = attempt().await? {
                return Ok(value);
            }
            back_off_from_conflict(retry).await;
        }
        Err(StoreError::Unavailable(format!("{subject} keeps changing")).into())
    }
}
