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
use super::provider::SimulatedProvider;
use super::queue::Message;
use super::schedule::Action;
use super::shared::{Shared, TABLE};

/// The providers of the catalogue's models.
pub(super) const PROVIDERS: [&str; 2] = ["openai", "other"];
/// The range of calls from which the crash of an invocation is chosen.
const MAX_CALLS_BEFORE_CRASH: u32 = 25;

/// The trigger of an invocation.
pub(super) enum Trigger {
    Tick { reconcile_all: bool },
    Message(Message),
    Client { entity: EntityId, action: Action },
}

impl fmt::Display for Trigger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tick { reconcile_all: false } => f.write_str("tick"),
            Self::Tick { reconcile_all: true } => f.write_str("tick that reconciles all"),
            Self::Message(message) => f.write_str(&message.body),
            Self::Client { entity, action } => write!(f, "{action:?} {entity}"),
        }
    }
}

/// The result of an invocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InvocationResult {
    Done,
    Failed,
    Crashed,
}

/// The question before or after which a process crashes.
#[derive(Default)]
pub(super) struct ScheduledCrash(Mutex<Option<(u32, bool)>>);

impl ScheduledCrash {
    fn set(&self, scheduled_crash: Option<(u32, bool)>) {
        *self.0.lock().unwrap() = scheduled_crash;
    }

    /// Counts a question. Returns whether the process crashes before it, and whether it crashes after it.
    pub(super) fn count_question(&self) -> (bool, bool) {
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
        let provider = |name| -> Box<dyn Provider> {
            Box::new(SimulatedProvider {
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
            providers: Arc::new(PROVIDERS.into_iter().map(provider).collect::<Providers>()),
            catalogue: shared.catalogue.clone(),
            clock: shared.clock.clone(),
            shard_concurrency: u32::try_from(shared.schedule.workers).unwrap(),
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
    pub(super) fn remove_faults(&self) {
        self.faults.none();
        self.scheduled_crash.set(None);
    }

    /// Handles one invocation until it ends or crashes.
    pub(super) async fn invoke(&self, number: Invocation, trigger: &Trigger) -> InvocationResult {
        self.invocation.store(number, Ordering::Relaxed);
        self.remove_faults();
        if !self.shared.faults_have_ended() {
            self.choose_faults(self.shared.schedule.rng("job", number));
        }
        let crashed = self.faults.crashed();
        let result = tokio::select! {
            biased;
            () = crashed => InvocationResult::Crashed,
            () = tokio::time::sleep(self.shared.schedule.invocation) => InvocationResult::Crashed,
            done = self.handle(trigger) => if done { InvocationResult::Done } else { InvocationResult::Failed },
        };
        self.faults.take();
        result
    }

    /// Chooses the faults of an invocation.
    fn choose_faults(&self, mut rng: SeededRng) {
        let fault_rates = self.shared.schedule.fault_rates.clone();
        let fault = *rng.choose(&[Fault::CrashBefore, Fault::CrashAfter]);
        let mut crash_at_call = 0;
        if rng.below(1_000) < fault_rates.crashes {
            if rng.chance(60) {
                crash_at_call = 1 + rng.below(MAX_CALLS_BEFORE_CRASH);
            } else {
                self.scheduled_crash
                    .set(Some((rng.below(10), fault == Fault::CrashAfter)));
            }
        }
        let mut calls = 0;
        self.faults.script(move |_| {
            calls += 1;
            let has_transient_fault = rng.below(1_000) < fault_rates.calls;
            let transient_fault = has_transient_fault.then(|| *rng.choose(&Fault::TRANSIENT));
            if calls == crash_at_call {
                Some(fault)
            } else {
                transient_fault
            }
        });
    }

    /// Handles an invocation. Returns `false` if it must be retried.
    async fn handle(&self, trigger: &Trigger) -> bool {
        let clock = &self.shared.clock;
        let killed_at = clock.real_now() + self.shared.schedule.invocation;
        match trigger {
            Trigger::Tick { reconcile_all } => {
                let mut event = tick(clock.now());
                event["detail"][RECONCILE_ALL] = (*reconcile_all).into();
                self.checker.handle(event, killed_at).await.is_ok()
            }
            Trigger::Message(message) => {
                let event = json!({"Records": [{"messageId": "m", "body": message.body}]});
                let result = self.checker.handle(event, killed_at).await.unwrap_or(Value::Null);
                result["batchItemFailures"].as_array().is_some_and(Vec::is_empty)
            }
            Trigger::Client { entity, action } => {
                clients::perform(&self.checker, &self.tenant, entity, action).await
            }
        }
    }
}
