//! The AWS calls that the checker makes on each path through a check.

use acceptance::{AwsCall, FaultInjector};
use domain::entity::EntityUpdate;
use domain::limits::ERASURE_REPETITION;
use domain::time::DAY;
use store::Store;

use super::fixture::{CheckerFixture, default_answer};
use super::pauses::{PauseScenario, successful_reply};
use crate::store::table::catalogue;

/// Returns the calls of checks that complete normally, reach their deadline, wait for a paused provider, lose
/// their entity, and are read again.
pub(crate) async fn calls() -> Vec<AwsCall> {
    let faults = FaultInjector::default();
    let mut calls = Vec::new();
    for fixture in [
        two_checks(&faults).await,
        too_late(&faults).await,
        deleted(&faults).await,
        paused(&faults).await,
        reread(&faults).await,
    ] {
        calls.extend(fixture.bus_faults.calls());
    }
    calls.extend(faults.calls());
    calls
}

impl CheckerFixture {
    /// Sends the calls of the checker, and no others, through `faults` from now on.
    fn record(&mut self, faults: &FaultInjector) {
        let aws = faults.inject_into(&self.table.database.client_config());
        self.checker.store = Store::new(&aws, "visibility", self.table.clock.clone());
    }
}

async fn two_checks(faults: &FaultInjector) -> CheckerFixture {
    let mut fixture = CheckerFixture::start(3, default_answer).await;
    fixture.record(faults);
    for _ in 0..2 {
        fixture.tick().await;
        fixture.deliver_published().await;
        fixture.table.advance(DAY);
    }
    assert_eq!(fixture.read_entity().await.check_seq.get(), 2);
    assert!(fixture.read_entity().await.last_check.is_some());
    fixture
}

async fn too_late(faults: &FaultInjector) -> CheckerFixture {
    let mut fixture = CheckerFixture::start(3, default_answer).await;
    fixture.record(faults);
    fixture.tick().await;
    fixture.crash_each_worker().await;
    fixture.reach_deadline().await;
    fixture.tick().await;
    assert!(fixture.read_entity().await.running.is_none());
    fixture
}

async fn deleted(faults: &FaultInjector) -> CheckerFixture {
    let mut fixture = CheckerFixture::start(3, default_answer).await;
    fixture.record(faults);
    fixture.tick().await;
    fixture.take_published().await;
    let store = &fixture.table.store;
    let deleted = store.delete_entity(&fixture.tenant, &fixture.entity).await;
    assert_eq!(deleted, Ok(()));
    fixture.tick().await;
    fixture.deliver_published().await;
    fixture.table.advance(ERASURE_REPETITION);
    fixture.tick().await;
    let left = store.entity_or_deleted(&fixture.tenant, &fixture.entity).await;
    assert!(left.unwrap().is_none(), "it is cleaned up");
    fixture
}

async fn paused(faults: &FaultInjector) -> CheckerFixture {
    let mut scenario = PauseScenario::start(2).await;
    scenario.fixture.record(faults);
    scenario.fixture.tick().await;
    scenario.fixture.deliver_published().await;
    assert!(scenario.pause().await.is_some());
    scenario.set_script(successful_reply);
    scenario.run_until_ended(60).await;
    assert!(scenario.pause().await.is_none());
    scenario.fixture
}

async fn reread(faults: &FaultInjector) -> CheckerFixture {
    let mut fixture = CheckerFixture::start(3, default_answer).await;
    fixture.record(faults);
    fixture.tick().await;
    fixture.deliver_published().await;
    let update = EntityUpdate {
        aliases: Some(vec!["Other".to_owned()]),
        ..EntityUpdate::default()
    };
    let (store, catalogue) = (&fixture.table.store, catalogue());
    let updated = store.update_entity(&fixture.tenant, &fixture.entity, &update, &catalogue);
    updated.await.unwrap();
    fixture.tick().await;
    fixture.deliver_published().await;
    let progress = store.rereading_progress(&fixture.tenant, &fixture.entity).await;
    assert_eq!(progress.unwrap(), None);
    let responses = fixture.responses().await;
    assert!(responses.iter().all(|response| !response.brands.is_empty()));
    fixture
}
