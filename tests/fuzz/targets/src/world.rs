//! The service's functions on an in-process table, one instance per thread.

use std::sync::Arc;

use api::{ApiState, Cors};
use checker::Checker;
use domain::catalogue::Catalogue;
use domain::clock::Clock;
use domain::time::Timestamp;
use events::Bus;
use providers::Providers;
use store::{Store, connect};
use tokio::runtime::{Builder, Runtime};

use crate::table::Table;

/// The well-formed key of the sample events.
pub(crate) const KEY: &str = "wsk_Example00000000000000000002lGHTi";

/// The origin whose browsers may read the responses.
pub(crate) const ORIGIN: &str = "https://app.example.com";

/// A fixed instant of 2026-06-16, so that no result depends on the current time.
pub(crate) const NOW: Timestamp = Timestamp::from_millis(1_781_601_164_512);

struct Still;

impl Clock for Still {
    fn now(&self) -> Timestamp {
        NOW
    }

    fn real_now(&self) -> Timestamp {
        NOW
    }
}

pub(crate) struct World {
    pub(crate) runtime: Runtime,
    pub(crate) table: Table,
    pub(crate) app: ApiState,
    pub(crate) checker: Checker,
}

thread_local! {
    static WORLD: World = World::new();
}

impl World {
    fn new() -> Self {
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        let table = Table::default();
        let aws = connect::to_endpoint("http://127.0.0.1:1");
        let aws = aws.into_builder().http_client(table.clone()).build();
        let clock = Arc::new(Still);
        let catalogue = Arc::new(Catalogue::shipped().expect("the shipped catalogue"));
        let store = Store::new(&aws, "visibility", clock.clone());
        let app = ApiState {
            store: store.clone(),
            clock: clock.clone(),
            catalogue: catalogue.clone(),
            cors: Arc::new(Cors::new(vec![ORIGIN.to_owned()])),
            known_keys: Arc::default(),
        };
        let checker = Checker {
            store,
            bus: Bus::new(&aws, "bus"),
            providers: Arc::new(Providers::default()),
            catalogue,
            clock,
            shard_concurrency: domain::limits::DEFAULT_SHARD_CONCURRENCY,
        };
        Self {
            runtime,
            table,
            app,
            checker,
        }
    }

    /// Runs `work` with this thread's instance, whose table is empty and has received no calls.
    pub(crate) fn with<T>(work: impl FnOnce(&Self) -> T) -> T {
        WORLD.with(|world| {
            let mut state = world.table.state();
            state.item = None;
            state.calls.clear();
            drop(state);
            work(world)
        })
    }
}
