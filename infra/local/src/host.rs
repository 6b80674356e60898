//! Starting and stopping the host.

mod background;
mod builder;
mod queues;
mod wiring;

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use events::Bus;
use openapi::endpoints::Dependencies;
use serde::Serialize;
use store::Store;

use crate::bus::Schedule;
use crate::clock::ServiceClock;
use crate::database::{Database, DatabaseServer};
use background::BackgroundTasks;
pub use builder::HostBuilder;
pub use queues::Queues;

/// The options that the command line of the host sets.
#[derive(Debug, Clone)]
pub struct Options {
    /// The port of the API on 127.0.0.1. 0 means any free port. The database and the events endpoint use the
    /// next two ports if those are free.
    pub port: u16,
    /// The address of the ports of the database and the events endpoint. Other machines may reach what is not
    /// loopback.
    pub listen: IpAddr,
    /// The directory in which data is kept. `None` keeps it in memory.
    pub data: Option<PathBuf>,
    /// Whether the host starts without a demo workspace.
    pub empty: bool,
    /// The time between ticks.
    pub tick: Duration,
    /// The number of shards that are worked on at a time. It takes precedence over the environment's.
    pub shard_concurrency: u32,
}

impl Options {
    /// A worker asks 8 questions at a time, so a provider that takes 20 s answers 50,000 in about an hour.
    pub const DEFAULT_SHARD_CONCURRENCY: u32 = 32;
    pub const DEFAULT_LISTEN: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
}

impl Default for Options {
    fn default() -> Self {
        Self {
            port: 0,
            listen: Self::DEFAULT_LISTEN,
            data: None,
            empty: true,
            tick: Duration::from_secs(60),
            shard_concurrency: Self::DEFAULT_SHARD_CONCURRENCY,
        }
    }
}

/// The addresses of the host, which prints them as one line of JSON when it is ready.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Ready {
    pub base_url: String,
    pub console_url: String,
    pub dynamodb_endpoint: String,
    pub events_endpoint: String,
    pub table: String,
    /// The API key of the demo workspace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api_key: Option<String>,
}

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
    schedule: Schedule,
    pub database: Database,
    database_server: DatabaseServer,
    background: BackgroundTasks,
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
