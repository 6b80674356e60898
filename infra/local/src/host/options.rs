//! The options of the host.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use super::listener::LOOPBACK;

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
    pub const DEFAULT_LISTEN: IpAddr = LOOPBACK;
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
