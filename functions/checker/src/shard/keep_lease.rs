//! Renews a shard's lease while a worker works on the shard.

use std::convert::Infallible;
use std::time::Duration;

use domain::limits::{LEASE, LEASE_RENEWAL};
use domain::time::SECOND;

use super::leased::LeasedShard;

/// How soon a failed renewal is retried, in real milliseconds.
const RENEWAL_RETRY: i64 = 5 * SECOND;

impl LeasedShard<'_> {
    /// Renews the lease until it is lost. A renewal that fails is retried while the lease lasts. Answers that arrive
    /// after the lease is lost are still recorded.
    pub(super) async fn keep_lease(&self) -> Infallible {
        let clock = &self.checker.clock;
        let mut held_until = self.lease.progress.lease_until;
        let mut delay = LEASE_RENEWAL;
        loop {
            tokio::time::sleep(Duration::from_millis(delay.unsigned_abs())).await;
            let until = clock.now().plus(clock.to_service_millis(LEASE));
            match self.checker.store.renew_lease(self.lease, until).await {
                Ok(true) => (held_until, delay) = (until, LEASE_RENEWAL),
                Err(error) if clock.now() < held_until => {
                    tracing::warn!(%error, "a lease could not be renewed");
                    delay = RENEWAL_RETRY;
                }
                Ok(false) | Err(_) => {
                    self.lose();
                    return std::future::pending().await;
                }
            }
        }
    }
}
