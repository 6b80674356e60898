//! Interim folds, answers, changes of names, repeated events, concurrent steps and crashes in random order.
//! Whatever happens, the facts are in the end those of the recorded responses.

use acceptance::{Fault, SeededRng};
use domain::answer::ResponseState;
use domain::limits::REREADING_LEASE;
use domain::ordinal::CheckNumber;
use domain::time::{MINUTE, SECOND};
use events::{CheckEvent, CheckRef};
use serde_json::Value;
use store::{ClaimError, Trigger};

use crate::checker::fixture::{CREDITS, NO_TIME_LIMIT};
use crate::rereading::setting;
use crate::rereading::twin::{Change, Twin};

/// The checks of one day in a run.
const CHECKS: u32 = 3;
/// Two shards for each model.
const PROMPTS: usize = 27;
/// The maximum number of steps in which a check has to end. It is closed at its deadline.
const MAX_STEPS: usize = 150;

/// Names that come and go.
const ALIASES: [&[&str]; 3] = [&[], &["Zenith Tools"], &["Globex", "Zenith Tools"]];

/// A world in which events are delivered in random order.
struct RandomRun {
    twin: Twin,
    rng: SeededRng,
    /// The events that have not been delivered yet, or will be delivered again.
    events: Vec<Value>,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_facts_are_those_of_the_responses_in_whatever_order_checks_are_answered_and_folded() {
    let mut interim_folds = 0;
    for seed in 0..setting("EARLY_ANSWERS_SEEDS").unwrap_or(2) {
        let mut run = RandomRun {
            twin: Twin::start_with_prompts(PROMPTS).await,
            rng: SeededRng::new(seed),
            events: Vec::new(),
        };
        for check in (1..=CHECKS).map(CheckNumber::new) {
            run.run_check(check).await;
        }
        interim_folds += run.finish().await;
    }
    assert!(interim_folds > 0, "no check was folded while it ran");
}

impl RandomRun {
    /// Claims a check, unless a tick has claimed it because the slot of the entity fell due, and runs it to
    /// its end.
    async fn run_check(&mut self, check: CheckNumber) {
        let (tenant, entity) = (&self.twin.fixture.tenant, &self.twin.fixture.entity);
        let table = &self.twin.fixture.table;
        let claimed = table.claim(tenant, entity, Trigger::Request).await;
        assert!(matches!(claimed, Ok(_) | Err(ClaimError::Running)), "{claimed:?}");
        self.publish(CheckEvent::CheckClaimed, check).await;
        for _ in 0..MAX_STEPS {
            self.change_world().await;
            if self.rng.chance(40) {
                self.publish(CheckEvent::FoldDue, check).await;
            }
            if self.rng.chance(40) {
                self.events.push(self.twin.fixture.tick_event(true));
            }
            self.deliver_some().await;
            self.events.extend(self.twin.fixture.take_published().await);
            self.twin.assert_families_agree().await;
            let entity = self.twin.fixture.read_entity().await;
            if entity.running.is_none_or(|running| running.check > check) {
                return;
            }
        }
        panic!("check {check} does not end");
    }

    /// Publishes an event of a check, without delivering it.
    async fn publish(&mut self, event: fn(CheckRef) -> CheckEvent, check: CheckNumber) {
        let fixture = &self.twin.fixture;
        let event = event(CheckRef {
            workspace_id: *fixture.tenant.workspace(),
            entity_id: fixture.entity,
            check,
        });
        fixture.checker.bus.publish(&[event]).await.unwrap();
        self.events.extend(fixture.take_published().await);
    }

    /// Lets time pass, and changes at random which models are busy and which names are known.
    async fn change_world(&mut self) {
        let wait = self.rng.below(4) * MINUTE;
        self.twin.fixture.table.advance(wait);
        let busy: &[&[&str]] = &[&[], &[], &["large"], &["small"], &["small", "large"]];
        let busy = self.rng.choose::<&[&str]>(busy);
        self.twin.set_busy(busy);
        if self.rng.chance(10) {
            let aliases = self.rng.choose::<&[&str]>(&ALIASES);
            self.twin.set_aliases(aliases).await;
        }
    }

    /// Delivers up to three events at once, to a process that may crash. Some are delivered again later.
    async fn deliver_some(&mut self) {
        let mut batches = Vec::new();
        for _ in 0..=self.rng.below(3) {
            if self.events.is_empty() {
                break;
            }
            let end = u32::try_from(self.events.len()).unwrap();
            let batch = self.events.swap_remove(self.rng.below(end) as usize);
            if self.rng.chance(20) {
                self.events.push(batch.clone());
            }
            batches.push(batch);
        }
        let crash = self.rng.chance(20).then(|| {
            let fault = *self.rng.choose(&[Fault::CrashBefore, Fault::CrashAfter]);
            (self.rng.below(80), fault)
        });
        let faults = &self.twin.faults;
        let crashed = faults.crashed();
        if let Some((mut left, fault)) = crash {
            faults.script(move |_| {
                left = left.checked_sub(1).unwrap_or(u32::MAX);
                (left == 0).then_some(fault)
            });
        }
        let deliveries = batches.iter().map(|batch| async {
            let handled = self
                .twin
                .fixture
                .checker
                .handle(batch.clone(), NO_TIME_LIMIT)
                .await;
            let is_done = handled.is_ok_and(|result| {
                result.is_null() || result["batchItemFailures"].as_array().is_some_and(Vec::is_empty)
            });
            (!is_done).then(|| batch.clone())
        });
        let returned = tokio::select! {
            returned = futures::future::join_all(deliveries) => returned,
            () = crashed => Vec::new(),
        };
        let has_crashed = returned.len() < batches.len();
        faults.none();
        faults.wait_for_responses().await;
        self.events.extend(returned.into_iter().flatten());
        if has_crashed {
            self.twin.fixture.table.advance(REREADING_LEASE + SECOND);
        }
    }

    /// Runs what is left to do, and audits the facts. Returns the number of checks that were folded while
    /// they ran.
    async fn finish(&mut self) -> usize {
        self.twin.set_busy(&[]);
        for event in std::mem::take(&mut self.events) {
            self.twin
                .fixture
                .checker
                .handle(event, NO_TIME_LIMIT)
                .await
                .unwrap();
        }
        self.twin.learn(Change::Member).await;
        self.twin.settle(&mut self.rng, 0, async |_| {}).await;
        self.twin.audit_facts().await;
        let fixture = &self.twin.fixture;
        let (store, tenant, entity) = (&fixture.table.store, &fixture.tenant, &fixture.entity);
        let (mut folded, mut used) = (0, 0);
        let last = fixture.read_entity().await.check_seq.get();
        for number in (1..=last).map(CheckNumber::new) {
            let check = store.check(tenant, entity, number).await.unwrap().unwrap();
            folded += usize::from(check.folded_at.is_some());
            let plan = store.plan(tenant, entity, number).await.unwrap().unwrap();
            for response in store.responses_of(tenant, entity, check.key()).await.unwrap() {
                let is_answered = response.state == ResponseState::Answered;
                let mut models = plan.models.iter();
                let model = models.find(|model| model.ordinal == response.model && is_answered);
                used += model.map_or(0, |model| i64::from(model.credits));
            }
        }
        assert_eq!(fixture.table.credits(tenant).await, (CREDITS - used, 0, used));
        folded
    }
}
