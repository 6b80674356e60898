//! The running host.

use std::sync::Arc;
use std::time::Duration;

use events::Bus;
use openapi::endpoints::Dependencies;
use store::Store;

use super::background::BackgroundTasks;
use super::queues::Queues;
use super::ready::Ready;
use crate::bus::Schedule;
use crate::clock::ServiceClock;
use crate::database::{Database, DatabaseServer};

/// The time that running work has to end when the host stops.
const GRACE: Duration = Duration::from_secs(3);

/// The running host.
pub struct Host {
    pub ready: Ready,
    pub store: Store,
    pub bus: Bus,
    pub queues: Queues,
    pub clock: Arc<ServiceClock>,
    /// The dependencies of the functions that serve the API.
    pub dependencies: Dependencies,
    pub(super) schedule: Schedule,
    pub database: Database,
    pub(super) database_server: DatabaseServer,
    pub(super) background: BackgroundTasks,
}

impl Host {
    /// Stops the schedule, the queues, the servers and then the database. Running work has a few seconds to
    /// end.
    pub async fn stop(self) {
        self.schedule.stop(GRACE).await;
        self.queues.shutdown(GRACE).await;
        self.background.stop(GRACE).await;
        self.database_server.stop().await;
    }
}
