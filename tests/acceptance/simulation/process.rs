//! Processes that handle one invocation at a time and can crash in it.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use acceptance::{Fault, FaultInjector, SeededRng};
use checker::{Checker, RECONCILE_ALL};
use domain::clock::Clock;
use domain::id::EntityId;
use events::Bus;
use local::bus::schedule::tick;
use providers::{Provider, Providers};
use serde_json::{Value, json};
use store::{Store, Tenant};

use super::clients;
use super::ledger::Invocation;
use super::provider::Scripted;
use super::queue::Message;
use super::schedule::Action;
use super::shared::{Shared, TABLE};

/// The providers of the catalogue's models.
pub(super) const PROVIDERS: [&str; 2] = ["openai", "other"];
/// The range of calls from which the crash of an invocation is chosen.
const DEADLY_CALLS: u32 = 25;

/// The reason of an invocation.
pub(super) enum Job {
    Tick { everything: bool },
    Deliver(Message),
    Do { entity: EntityId, action: Action },
}

impl fmt::Display for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tick { everything: false } => f.write_str("tick"),
            Self::Tick { everything: true } => f.write_str("tick, everything"),
            Self::Deliver(message) => f.write_str(&message.body),
            Self::Do { entity, action } => write!(f, "{action:?} {entity}"),
        }
    }
}

/// The result of an invocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    Done,
    Failed,
    Died,
}

/// The question before or after which a process crashes.
#[derive(Default)]
pub(super) struct ScheduledCrash(Mutex<Option<(u32, bool)>>);

impl ScheduledCrash {
    fn set(&self, scheduled_crash: Option<(u32, bool)>) {
        *self.0.lock().unwrap() = scheduled_crash;
    }

    /// Counts a question. Returns whether the process crashes before it, and whether it crashes after it.
    pub(super) fn asked(&self) -> (bool, bool) {
        let mut scheduled_crash = self.0.lock().unwrap();
        let Some((left, after)) = *scheduled_crash else {
            return (false, false);
        };
        *scheduled_crash = (left > 0).then(|| (left - 1, after));
        (left == 0 && !after, left == 0 && after)
    }
}

/// A process that handles invocations. Clones refer to the same process.
#[derive(Clone)]
pub(super) struct Process {
    shared: Arc<Shared>,
    tenant: Tenant,
    invocation: Arc<AtomicU64>,
    faults: FaultInjector,
    scheduled_crash: Arc<ScheduledCrash>,
    checker: Checker,
}

impl Process {
    pub(super) fn start(shared: &Arc<Shared>, tenant: &Tenant, number: u64) -> Self {
        let invocation = Arc::<AtomicU64>::default();
        let (faults, scheduled_crash) = (FaultInjector::default(), Arc::<ScheduledCrash>::default());
        let latency = Arc::new(Mutex::new(shared.schedule.rng("latency", number)));
        let aws = faults.inject_into(&shared.aws(&invocation, Some(latency)));
        let scripted = |name| -> Box<dyn Provider> {
            Box::new(Scripted {
                name,
                shared: shared.clone(),
                invocation: invocation.clone(),
                faults: faults.clone(),
                scheduled_crash: scheduled_crash.clone(),
            })
        };
        let checker = Checker {
            store: Store::new(&aws, TABLE, shared.clock.clone()),
            bus: Bus::new(&aws, "bus"),
            providers: Arc::new(PROVIDERS.into_iter().map(scripted).collect::<Providers>()),
            catalogue: shared.catalogue.clone(),
            clock: shared.clock.clone(),
        };
        Self {
            shared: shared.clone(),
            tenant: tenant.clone(),
            invocation,
            faults,
            scheduled_crash,
            checker,
        }
    }

    /// Removes all faults of the process.
    pub(super) fn calm(&self) {
        self.faults.none();
        self.scheduled_crash.set(None);
    }

    /// Handles one invocation until it ends or crashes.
    pub(super) async fn invoke(&self, number: Invocation, job: &Job) -> Ended {
        self.invocation.store(number, Ordering::Relaxed);
        self.calm();
        if !self.shared.is_calm() {
            self.choose_faults(self.shared.schedule.rng("job", number));
        }
        let died = self.faults.crashed();
        let ended = tokio::select! {
            biased;
            () = died => Ended::Died,
            () = tokio::time::sleep(self.shared.schedule.invocation) => Ended::Died,
            done = self.handle(job) => if done { Ended::Done } else { Ended::Failed },
        };
        self.faults.take();
        ended
    }

    /// Chooses the faults of an invocation.
    fn choose_faults(&self, mut rng: SeededRng) {
        let fault_rates = self.shared.schedule.fault_rates.clone();
        let fault = *rng.choose(&[Fault::CrashBefore, Fault::CrashAfter]);
        let mut deadly = 0;
        if rng.below(1_000) < fault_rates.crashes {
            if rng.chance(60) {
                deadly = 1 + rng.below(DEADLY_CALLS);
            } else {
                self.scheduled_crash
                    .set(Some((rng.below(10), fault == Fault::CrashAfter)));
            }
        }
        let mut calls = 0;
        self.faults.script(move |_| {
            calls += 1;
            let passing = rng.below(1_000) < fault_rates.calls;
            let passing = passing.then(|| *rng.choose(&Fault::TRANSIENT));
            if calls == deadly { Some(fault) } else { passing }
        });
    }

    /// Handles a job. Returns `false` if it must be retried.
    async fn handle(&self, job: &Job) -> bool {
        let clock = &self.shared.clock;
        let ends = clock.real_now() + self.shared.schedule.invocation;
        match job {
            Job::Tick { everything } => {
                let mut event = tick(clock.now());
                event["detail"][RECONCILE_ALL] = (*everything).into();
                self.checker.handle(event, ends).await.is_ok()
            }
            Job::Deliver(message) => {
                let event = json!({"Records": [{"messageId": "m", "body": message.body}]});
                let result = self.checker.handle(event, ends).await.unwrap_or(Value::Null);
                result["batchItemFailures"].as_array().is_some_and(Vec::is_empty)
            }
            Job::Do { entity, action } => clients::act(&self.checker, &self.tenant, entity, action).await,
        }
    }
}
