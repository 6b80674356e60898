//! Periodic work of the host: saving the service time and deleting expired items.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use crate::clock::ServiceClock;
use crate::data::DataDir;
use crate::database::Database;

/// The number of seconds between two sweeps of expired items.
const SWEEP_SECONDS: u64 = 60;

/// Saves the service time every second and sweeps expired items every minute, until `stopped` completes.
pub(super) async fn run(
    database: Database,
    clock: Arc<ServiceClock>,
    data: Option<DataDir>,
    stopped: impl Future<Output = ()>,
) {
    let mut stopped = pin!(stopped);
    for second in 1_u64.. {
        if let Some(data) = &data
            && let Err(error) = data.save_time(clock.as_ref())
        {
            tracing::error!(%error, "the service time was not saved");
        }
        if second.is_multiple_of(SWEEP_SECONDS) {
            let database = database.clone();
            let _ = tokio::task::spawn_blocking(move || database.sweep()).await;
        }
        tokio::select! {
            () = tokio::time::sleep(Duration::from_secs(1)) => {}
            () = &mut stopped => return,
        }
    }
}
