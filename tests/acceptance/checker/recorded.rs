//! What the checker calls on its ways through a check.

use acceptance::{AwsCall, FaultInjector};
use domain::limits::CHECK_DEADLINE;
use domain::time::DAY;
use store::{Store, connect};

use super::bench::{Bench, plain};
use super::pauses::{Scene, good};

/// The calls of checks that end well, at their deadline, after a pause of their provider and by the entity's deletion.
pub(crate) async fn calls() -> Vec<AwsCall> {
    let faults = FaultInjector::default();
    let mut calls = Vec::new();
    for bench in [
        two_checks(&faults).await,
        too_late(&faults).await,
        deleted(&faults).await,
        paused(&faults).await,
    ] {
        calls.extend(bench.bus_faults.calls());
    }
    calls.extend(faults.calls());
    calls
}

impl Bench {
    /// From now on the checker's calls, and no others, go through `faults`.
    fn record(&mut self, faults: &FaultInjector) {
        let aws = faults.inject_into(&connect::to_endpoint(&self.table.endpoint));
        self.checker.store = Store::new(&aws, "visibility", self.table.clock.clone());
    }
}

async fn two_checks(faults: &FaultInjector) -> Bench {
    let mut bench = Bench::start(3, plain).await;
    bench.record(faults);
    for _ in 0..2 {
        bench.tick().await;
        bench.run().await;
        bench.table.pass(DAY);
    }
    assert_eq!(bench.seen().await.check_seq, 2);
    assert!(bench.seen().await.last_check.is_some());
    bench
}

async fn too_late(faults: &FaultInjector) -> Bench {
    let mut bench = Bench::start(3, plain).await;
    bench.record(faults);
    bench.tick().await;
    bench.published().await;
    bench.table.pass(CHECK_DEADLINE);
    bench.tick().await;
    assert!(bench.seen().await.running.is_none());
    bench
}

async fn deleted(faults: &FaultInjector) -> Bench {
    let mut bench = Bench::start(3, plain).await;
    bench.record(faults);
    bench.tick().await;
    bench.published().await;
    let store = &bench.table.store;
    let deleted = store.delete_entity(&bench.tenant, &bench.entity).await;
    assert_eq!(deleted, Ok(()));
    bench.tick().await;
    let left = store.entity_or_deleted(&bench.tenant, &bench.entity).await;
    assert!(left.unwrap().is_none(), "it is cleaned up");
    bench
}

async fn paused(faults: &FaultInjector) -> Bench {
    let mut scene = Scene::start(2).await;
    scene.bench.record(faults);
    scene.bench.tick().await;
    scene.bench.run().await;
    assert!(scene.pause().await.is_some());
    scene.says(good);
    scene.to_the_end(60).await;
    assert!(scene.pause().await.is_none());
    scene.bench
}
