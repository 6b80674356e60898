//! The second phase of the start: the database and the port of the events endpoint.

use std::net::IpAddr;
use std::sync::Arc;

use aws_types::SdkConfig;
use domain::clock::Clock;
use store::connect;
use tokio::net::TcpListener;

use super::listener::bind_near;
use super::timeline::Timeline;
use crate::data::DataDir;
use crate::database::{Database, DatabaseServer};
use crate::error::HostError;
use crate::server;

/// The local replacements of DynamoDB and EventBridge, and the configurations of their clients.
pub(super) struct Backends {
    pub(super) database: Database,
    pub(super) database_server: DatabaseServer,
    /// The configuration of a DynamoDB client.
    pub(super) table_config: SdkConfig,
    pub(super) events_listener: TcpListener,
    pub(super) events_endpoint: String,
    /// The configuration of an EventBridge client.
    pub(super) events_config: SdkConfig,
}

impl Backends {
    /// Starts the database and binds the port of the events endpoint on an address. `port` is the API's.
    pub(super) async fn start(listen: IpAddr, port: u16, timeline: &Timeline) -> Result<Self, HostError> {
        if !listen.is_loopback() {
            tracing::warn!(
                address = %listen,
                "other machines may reach the database and the events (--listen), which ask for no key"
            );
        }
        let file = timeline.data.as_ref().map(DataDir::database);
        let clock: Arc<dyn Clock> = timeline.clock.clone();
        let database = Database::open(file.as_deref(), clock)?;
        let database_server = database.serve(bind_near(listen, port, 1).await?)?;
        let events_listener = bind_near(listen, port, 2).await?;
        let events_endpoint = server::url(events_listener.local_addr()?);
        Ok(Self {
            table_config: database.client_config(),
            database,
            database_server,
            events_config: connect::to_endpoint(&events_endpoint),
            events_listener,
            events_endpoint,
        })
    }
}
