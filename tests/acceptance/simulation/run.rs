//! A run has a phase with the faults of its schedule, and then a phase without faults.

use std::collections::BTreeSet;
use std::sync::Arc;

use domain::clock::Clock;
use domain::entity::Entity;
use domain::id::EntityId;
use domain::limits::{CHECK_DEADLINE, REREADING_RETRY};
use domain::time::Timestamp;
use store::{DueSubject, NewWorkspace, ReplyRecorder, Store, Tenant};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

use super::ledger::{DeferredShard, Invocation};
use super::process::{InvocationResult, Process, Trigger};
use super::schedule::{Action, Event};
use super::shared::{Shared, TABLE};
use crate::store::table::{new_entity, no_limits};

/// The number of ticks per entity that may have work to do after the faults end: a reconciliation that finds
/// lost events, one at the end of a lease or a delay, one more for a check that a slot or a client has
/// started, those of a rereading, and those at which a rereading finds that the entity's check has not ended
/// yet.
const TICKS_PER_ENTITY: usize = 16 + (CHECK_DEADLINE.as_secs() / REREADING_RETRY.as_secs()) as usize;

/// The state of a run.
pub(super) struct Run {
    pub(super) shared: Arc<Shared>,
    pub(super) tenant: Tenant,
    /// A store without delays and faults.
    pub(super) store: Store,
    pub(super) entities: Vec<EntityId>,
    /// Prompts that an action tried to pause or delete.
    pub(super) withdrawn: BTreeSet<(EntityId, u32)>,
    /// Entities that an action tried to activate.
    pub(super) reactivated: BTreeSet<EntityId>,
    /// The time at which the faults ended.
    pub(super) faults_ended_at: Timestamp,
    processes: Vec<Process>,
    idle: Vec<Process>,
    running: JoinSet<EndedInvocation>,
    /// The number of messages that are being handled.
    delivering: usize,
    invocations: Invocation,
    /// The invocations that have not ended.
    in_flight: BTreeSet<Invocation>,
    /// Deferred shards whose reconciliation another invocation may still be writing.
    uncorrected: Vec<UncorrectedDeferral>,
}

/// A deferred shard whose check is not reconciled when the deferral ends. A reconciliation postpones the next
/// one, then reads the shards again and corrects the time if a shard was released meanwhile. Until it ends,
/// it may correct it.
struct UncorrectedDeferral {
    /// The invocation that released the shard.
    released_by: Invocation,
    /// The invocations that were in flight when this was observed, and have not ended since.
    in_flight: BTreeSet<Invocation>,
    /// One of these invocations crashed or failed, so that nothing has to be corrected.
    may_stay: bool,
}

/// An invocation that has ended.
struct EndedInvocation {
    process: Process,
    number: Invocation,
    trigger: Trigger,
    result: InvocationResult,
}

impl Run {
    pub(super) async fn start(shared: Arc<Shared>) -> Self {
        let store = Store::new(&shared.aws(&Arc::default(), None), TABLE, shared.clock.clone());
        store.create_table().await.unwrap();
        let new = NewWorkspace {
            name: "Simulated".to_owned(),
            plan_name: "test".to_owned(),
            limits: no_limits(),
            credits: shared.schedule.credits,
        };
        let (tenant, ..) = store.create_workspace(new, shared.clock.now()).await.unwrap();
        let mut run = Self {
            shared,
            tenant,
            store,
            entities: Vec::new(),
            withdrawn: BTreeSet::new(),
            reactivated: BTreeSet::new(),
            faults_ended_at: Timestamp::from_millis(0),
            processes: Vec::new(),
            idle: Vec::new(),
            running: JoinSet::new(),
            delivering: 0,
            invocations: 0,
            in_flight: BTreeSet::new(),
            uncorrected: Vec::new(),
        };
        run.create_entities().await;
        run
    }

    async fn create_entities(&mut self) {
        let catalogue = self.shared.catalogue.clone();
        let models: Vec<_> = catalogue
            .models()
            .iter()
            .map(domain::catalogue::Model::uuid)
            .collect();
        for (n, tracked) in self.shared.schedule.entities.iter().enumerate() {
            let (domain, prompts) = (format!("acme{n}.com"), tracked.prompts as usize);
            let new = new_entity(&self.tenant, &domain, prompts, &models[..tracked.models]);
            let first = tracked.claims_at_once.then_some(catalogue.as_ref());
            let created = self
                .store
                .create_entity(&self.tenant, &new, first, &ReplyRecorder::disabled())
                .await;
            // The event of the claim is lost.
            self.entities.push(created.unwrap().entity.id);
        }
    }

    /// Executes all events of the schedule, with its faults.
    pub(super) async fn execute_schedule(&mut self) {
        let start = Instant::now();
        let events = self.shared.schedule.events.clone();
        for (at, event) in events {
            self.process_until(start + at).await;
            match event {
                Event::Tick { reconcile_all } => self.start_invocation(Trigger::Tick { reconcile_all }),
                Event::Jump(by) => {
                    self.shared.trace(format!("the clock jumps by {by} ms"));
                    self.shared.clock.jump(by);
                }
                Event::ReachDeadline => self.reach_deadline().await,
                Event::Act { entity, action } => self.act(entity, action),
            }
        }
    }

    async fn reach_deadline(&self) {
        self.shared.trace("the clock moves to the deadline");
        let deadline = self.shared.clock.now() + CHECK_DEADLINE;
        for id in &self.entities {
            let entity = self.store.entity(&self.tenant, id).await.unwrap();
            let Some(running) = entity.and_then(|entity| entity.running) else {
                continue;
            };
            let check = self.store.check(&self.tenant, id, running.check).await.unwrap();
            if let Some(own) = check.and_then(|check| check.deadline) {
                // The time until then does not count as an outage.
                let counted = self
                    .store
                    .move_deadline(&self.tenant, id, running.check, own, own, deadline);
                counted.await.unwrap();
            }
        }
        let by = deadline.duration_since(self.shared.clock.now());
        self.shared.clock.jump(i64::try_from(by.as_millis()).unwrap());
    }

    fn act(&mut self, entity: usize, action: Action) {
        let entity = self.entities[entity];
        match action {
            Action::PausePrompt(prompt) | Action::DeletePrompt(prompt) => {
                self.withdrawn.insert((entity, prompt));
            }
            Action::Activate => {
                self.reactivated.insert(entity);
            }
            _ => {}
        }
        self.start_invocation(Trigger::Client { entity, action });
    }

    /// Ends invocations and delivers messages until the given time.
    async fn process_until(&mut self, then: Instant) {
        while Instant::now() < then {
            self.deliver();
            let due = self.shared.queue.lock().unwrap().next_due();
            let has_room = self.delivering < self.shared.schedule.workers;
            let next = due.filter(|_| has_room).map_or(then, |due| due.min(then));
            let shared = self.shared.clone();
            tokio::select! {
                biased;
                Some(ended) = self.running.join_next() => self.finish_invocation(ended.unwrap()).await,
                () = shared.published.notified() => {}
                () = sleep_until(next) => {}
            }
        }
    }

    /// Starts an invocation for each message that is due, up to the number of workers.
    fn deliver(&mut self) {
        while self.delivering < self.shared.schedule.workers {
            let message = self.shared.queue.lock().unwrap().receive();
            let Some(message) = message else { return };
            self.delivering += 1;
            self.start_invocation(Trigger::Message(message));
        }
    }

    fn start_invocation(&mut self, trigger: Trigger) {
        self.invocations += 1;
        let number = self.invocations;
        let process = self.idle.pop().unwrap_or_else(|| {
            let started = self.processes.len() as u64;
            let process = Process::start(&self.shared, &self.tenant, started);
            self.processes.push(process.clone());
            process
        });
        self.in_flight.insert(number);
        self.shared.trace(format!("{number}: {trigger}"));
        self.running.spawn(async move {
            let result = process.invoke(number, &trigger).await;
            EndedInvocation {
                process,
                number,
                trigger,
                result,
            }
        });
    }

    async fn finish_invocation(&mut self, ended: EndedInvocation) {
        let EndedInvocation {
            process,
            number,
            trigger,
            result,
        } = ended;
        self.shared.trace(format!("{number}: {result:?}"));
        self.idle.push(process);
        self.in_flight.remove(&number);
        self.check_uncorrected_deferrals(number, result).await;
        let Trigger::Message(message) = trigger else {
            return;
        };
        self.delivering -= 1;
        if result != InvocationResult::Done {
            let mut queue = self.shared.queue.lock().unwrap();
            return queue.return_message(message, &self.shared.schedule);
        }
        self.require_reconciliation_of_deferred_shard(number).await;
    }

    /// Asserts that the check of the shard that an invocation has deferred is reconciled when the deferral
    /// ends. If it is not, the invocations that are in flight have until their end to correct it.
    async fn require_reconciliation_of_deferred_shard(&mut self, number: Invocation) {
        let deferred = self.shared.ledger.lock().unwrap().deferred_shard(number);
        let Some(DeferredShard { entity, check, until }) = deferred else {
            return;
        };
        let has_id = |id: &&EntityId| id.as_str() == entity;
        let entity = self.entities.iter().find(has_id).unwrap();
        let stored = self.store.entity(&self.tenant, entity).await.unwrap();
        let running = stored
            .and_then(|entity| entity.running)
            .filter(|running| running.check.get() == check);
        if running.is_none_or(|running| running.next_reconciliation_at <= until) {
            return;
        }
        if self.in_flight.is_empty() {
            return self.shared.record_violation(format!(
                "{number}: no reconciliation of {entity} is scheduled for the end of a shard's deferral"
            ));
        }
        self.uncorrected.push(UncorrectedDeferral {
            released_by: number,
            in_flight: self.in_flight.clone(),
            may_stay: false,
        });
    }

    /// Asserts again what invocations could have corrected, once they have all ended. One that crashes may
    /// leave the time uncorrected: the shard then waits for the next regular reconciliation.
    async fn check_uncorrected_deferrals(&mut self, number: Invocation, result: InvocationResult) {
        for shard in &mut self.uncorrected {
            let was_in_flight = shard.in_flight.remove(&number);
            shard.may_stay |= was_in_flight && result != InvocationResult::Done;
        }
        let decided = self
            .uncorrected
            .extract_if(.., |shard| shard.in_flight.is_empty());
        let decided: Vec<UncorrectedDeferral> = decided.collect();
        for shard in decided.into_iter().filter(|shard| !shard.may_stay) {
            self.require_reconciliation_of_deferred_shard(shard.released_by)
                .await;
        }
    }

    /// Stops all faults and finishes the remaining work, without further client actions and without waiting
    /// for a message.
    pub(super) async fn finish_without_faults(&mut self) {
        self.shared.end_faults();
        for process in &self.processes {
            process.remove_faults();
        }
        self.faults_ended_at = self.shared.clock.now();
        self.shared.trace("the faults end");
        self.drain().await;
        for _ in 0..TICKS_PER_ENTITY * self.entities.len() {
            let Some(due) = self.next_work_at().await else {
                return;
            };
            let wait = due.duration_since(self.shared.clock.now());
            tokio::time::sleep(wait).await;
            self.start_invocation(Trigger::Tick { reconcile_all: false });
            self.drain().await;
        }
        assert!(self.next_work_at().await.is_none(), "checks do not end");
    }

    /// Waits until all invocations and their consequences have ended.
    async fn drain(&mut self) {
        loop {
            self.deliver();
            match self.running.join_next().await {
                Some(ended) => self.finish_invocation(ended.unwrap()).await,
                None => return,
            }
        }
    }

    /// Returns when a tick next has work to do: now, at a reconciliation of a running check, for a deleted
    /// entity, or for a rereading.
    async fn next_work_at(&self) -> Option<Timestamp> {
        let now = self.shared.clock.now();
        let mut due_times = Vec::new();
        for id in &self.entities {
            let entity = self.store.entity_or_deleted(&self.tenant, id).await.unwrap();
            let has_to_end = |e: &Entity| {
                e.running.is_some() || e.deleted_at.is_some() || e.due_at().is_some_and(|due| due <= now)
            };
            due_times.extend(entity.filter(has_to_end).and_then(|entity| entity.due_at()));
        }
        let due = self
            .store
            .due_work(Timestamp::from_millis(i64::MAX / 1_000))
            .await;
        let rereadings = due.unwrap().into_iter();
        let rereadings = rereadings.filter(|due| !matches!(due.subject, DueSubject::Entity(_)));
        due_times.extend(rereadings.map(|due| due.since));
        due_times.into_iter().min()
    }
}
