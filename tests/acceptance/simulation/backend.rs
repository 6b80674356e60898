//! The embedded DynamoDB of a run. It has its own runtime, whose time is real.

use std::sync::Arc;

use acceptance::{BlockingTransport, HttpInterceptor};
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use aws_types::SdkConfig;
use domain::time::Timestamp;
use local::Database;
use local::testing::FixedClock;
use store::connect;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use crate::store::table::NOON;

/// The runtime of the databases and of the connections to them. It serves many runs.
pub(super) struct Background {
    runtime: Runtime,
    http: SharedHttpClient,
}

impl Background {
    pub(super) fn start() -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let http = connect::to_endpoint("http://127.0.0.1").http_client().unwrap();
        Self { runtime, http }
    }

    /// Creates an empty database.
    pub(super) fn database(&self) -> Backend {
        let clock = Arc::new(FixedClock::frozen(NOON));
        let database = self.runtime.block_on(async {
            let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
            Database::start(None, clock.clone(), listener).await.unwrap()
        });
        let aws = connect::to_endpoint(&database.endpoint).to_builder();
        let aws = aws.http_client(self.http.clone()).build();
        let transport = BlockingTransport {
            runtime: self.runtime.handle().clone(),
        };
        Backend {
            aws: transport.wrap(&aws),
            clock,
            _database: database,
        }
    }
}

/// An empty database of one run.
pub(super) struct Backend {
    /// The configuration of clients whose calls take no simulated time.
    pub(super) aws: SdkConfig,
    clock: Arc<FixedClock>,
    _database: Database,
}

impl Backend {
    pub(super) fn set_clock(&self, now: Timestamp) {
        self.clock.set(now);
    }
}
