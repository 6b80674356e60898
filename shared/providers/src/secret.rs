//! The secret that contains the providers' settings. It is read on first use and kept for five minutes, so
//! that a changed key takes effect within that time.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use domain::clock::Clock;
use domain::time::Timestamp;
use tokio::sync::Mutex;

use crate::{AskError, BoxFuture};

/// The time for which the values are kept.
const MAX_AGE: Duration = Duration::from_secs(5 * 60);

/// Where the secret is. Its text is a JSON object: `{"OPENAI_API_KEY": "…", …}`.
pub trait SecretSource: Send + Sync {
    /// Reads the text of the secret.
    fn read(&self) -> BoxFuture<'_, Result<String, SecretError>>;
}

/// Why the secret could not be read. The texts are codes for the log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SecretError {
    /// The secret cannot be read until an operator changes it or the function's permission.
    #[error("{0}")]
    Unusable(String),
    /// The secret could not be read this time.
    #[error("{0}")]
    Unavailable(String),
}

/// The values in the secret, by name.
type Values = Arc<HashMap<String, String>>;

/// The secret with its latest values.
pub(crate) struct CachedSecret {
    source: Arc<dyn SecretSource>,
    clock: Arc<dyn Clock>,
    /// The number of reads that have ended.
    reads: AtomicU64,
    /// Locked while the secret is read, so that it is read once for all that wait for it.
    latest: Mutex<Option<LatestRead>>,
}

struct LatestRead {
    began: Timestamp,
    values: Result<Values, AskError>,
}

impl CachedSecret {
    pub(crate) fn new(source: Arc<dyn SecretSource>, clock: Arc<dyn Clock>) -> Self {
        Self {
            source,
            clock,
            reads: AtomicU64::new(0),
            latest: Mutex::new(None),
        }
    }

    /// Returns the values in the secret. An error is kept only for those that waited for the same read.
    ///
    /// # Errors
    ///
    /// [`AskError::Unavailable`] if another attempt can succeed, and [`AskError::InvalidKey`] if the secret
    /// cannot be read until an operator acts, or is no JSON object of texts.
    pub(crate) async fn values(&self) -> Result<Values, AskError> {
        let reads_before = self.reads.load(Ordering::Relaxed);
        let mut latest = self.latest.lock().await;
        let now = self.clock.real_now();
        let has_waited = self.reads.load(Ordering::Relaxed) != reads_before;
        if let Some(read) = latest.as_ref().filter(|read| has_waited || read.is_fresh(now)) {
            return read.values.clone();
        }
        let values = self.read().await;
        self.reads.fetch_add(1, Ordering::Relaxed);
        *latest = Some(LatestRead {
            began: now,
            values: values.clone(),
        });
        values
    }

    async fn read(&self) -> Result<Values, AskError> {
        let text = self.source.read().await.map_err(|error| match &error {
            SecretError::Unusable(_) => {
                tracing::error!(%error, "the providers' secret cannot be read; check that it exists and that the function's role may read it");
                AskError::invalid_key("the providers' secret cannot be read")
            }
            SecretError::Unavailable(_) => {
                tracing::warn!(%error, "the providers' secret could not be read this time");
                AskError::unavailable("the providers' keys cannot be read at the moment")
            }
        })?;
        let values = serde_json::from_str(&text).map_err(|_| {
            tracing::error!("the providers' secret is no JSON object of texts");
            AskError::invalid_key("the providers' secret is no JSON object of texts")
        })?;
        Ok(Arc::new(values))
    }
}

impl LatestRead {
    fn is_fresh(&self, now: Timestamp) -> bool {
        self.values.is_ok() && self.began <= now && now.duration_since(self.began) < MAX_AGE
    }
}

#[cfg(test)]
mod tests;
