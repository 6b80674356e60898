//! Renews a shard's lease while a worker works on the shard.

use std::convert::Infallible;
use std::time::Duration;

use domain::limits::{LEASE, LEASE_RENEWAL};

use super::leased::LeasedShard;

/// The time after which a failed renewal is retried.
const RENEWAL_RETRY: Duration = Duration::from_secs(5);

impl LeasedShard<'_> {
    /// Renews the lease until it is lost. A renewal that fails is retried while the lease lasts. Answers that
    /// arrive after the lease is lost are still recorded.
    pub(super) async fn keep_lease(&self) -> Infallible {
        let clock = &self.checker.clock;
        let mut leased_until = self.lease.progress.lease_until;
        let mut delay = LEASE_RENEWAL;
        loop {
            tokio::time::sleep(delay).await;
            let until = clock.now() + LEASE;
            match self.checker.store.renew_lease(self.lease, until).await {
                Ok(true) => (leased_until, delay) = (until, LEASE_RENEWAL),
                Err(error) if clock.now() < leased_until => {
                    tracing::warn!(%error, "a lease could not be renewed");
                    delay = RENEWAL_RETRY;
                }
                Ok(false) | Err(_) => {
                    self.mark_lease_lost();
                    return std::future::pending().await;
                }
            }
        }
    }
}
