//! The embedded DynamoDB, for clients in this process, and on a loopback port for programs on this machine.

mod operations;
mod transport;

use std::io;
use std::path::Path;
use std::sync::Arc;

use aws_types::SdkConfig;
use domain::clock::Clock;
use dynoxide::storage_backend;
use store::connect;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use self::transport::Transport;
use crate::error::HostError;
use crate::local_programs::only_local_programs;
use crate::server;

/// A DynamoDB in this process. Clones share it.
#[derive(Clone)]
pub struct Database(dynoxide::Database);

/// The port of a database, which speaks the real wire protocol.
pub struct DatabaseServer {
    pub endpoint: String,
    stop: oneshot::Sender<()>,
    server: JoinHandle<io::Result<()>>,
}

/// The clock by which the engine expires items.
struct EngineClock(Arc<dyn Clock>);

impl storage_backend::Clock for EngineClock {
    fn now_unix_secs(&self) -> u64 {
        (self.0.now().as_millis() / 1_000).cast_unsigned() // No service time is before 1970.
    }

    #[expect(clippy::cast_precision_loss, reason = "milliseconds of this era fit a double")]
    fn now_unix_secs_f64(&self) -> f64 {
        self.0.now().as_millis() as f64 / 1_000.0
    }
}

impl Database {
    /// Opens the database file, or a database in memory. With a file, the engine expires items by real time,
    /// which is never later than service time. Readers treat expired items as absent either way.
    pub fn open(file: Option<&Path>, clock: Arc<dyn Clock>) -> Result<Self, HostError> {
        let opened = match file {
            Some(file) => dynoxide::Database::new(&file.to_string_lossy()),
            None => dynoxide::Database::memory_with_clock(Arc::new(EngineClock(clock))),
        };
        let opened = opened.map_err(|e| HostError::Database {
            place: file.map_or_else(|| "in memory".to_owned(), |file| file.display().to_string()),
            reason: e.to_string(),
        })?;
        Ok(Self(opened))
    }

    /// Returns the configuration of AWS clients in this process. Their requests are written, signed and read
    /// as always, but reach the database without a connection, so they take no time but that of the work.
    pub fn client_config(&self) -> SdkConfig {
        let aws = connect::to_endpoint("http://database").into_builder();
        aws.http_client(Transport(self.0.clone())).build()
    }

    /// Serves the database on `listener`.
    pub fn serve(&self, listener: TcpListener) -> Result<DatabaseServer, HostError> {
        let address = listener.local_addr()?;
        let (stop, stopped) = oneshot::channel::<()>();
        let router = only_local_programs(operations::router(self.0.clone()), address.ip());
        let server = tokio::spawn(server::serve(listener, router, async move {
            let _ = stopped.await;
        }));
        Ok(DatabaseServer {
            endpoint: server::url(address),
            stop,
            server,
        })
    }

    /// Deletes expired items, as DynamoDB does in the background.
    pub fn sweep(&self) {
        if let Err(error) = self.0.sweep_ttl() {
            tracing::warn!(%error, "expired items could not be deleted");
        }
    }
}

impl DatabaseServer {
    pub async fn stop(self) {
        let _ = self.stop.send(());
        // A connection that hangs must not keep the host from stopping.
        let _ = tokio::time::timeout(std::time::Duration::from_secs(2), self.server).await;
    }
}
