//! One fleet: its workers, and what becomes of its checks.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use checker::Checker;
use domain::answer::ResponseState;
use domain::check::{CheckState, Response};
use domain::clock::Clock;
use domain::id::EntityId;
use domain::time::{MINUTE, Timestamp};
use events::{Bus, CheckEvent};
use local::bus::schedule::tick;
use providers::{Provider, Providers};
use serde_json::json;
use store::{Store, Tenant};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

use super::SHARD_CONCURRENCY;
use super::entities::{Tracked, catalogue, create_entities};
use super::network::FleetNetwork;
use super::provider::{Script, SlowProvider, rejects_key};
use crate::simulation::backend::Backend;
use crate::simulation::clock::SimulatedClock;
use crate::simulation::shared::TABLE;
use acceptance::HttpInterceptor;

/// The number of short steps that are processed concurrently.
const CONCURRENT_STEPS: usize = 5;
/// The time that an invocation has.
const INVOCATION: Duration = Duration::from_mins(15);
/// The time after which a fleet must have ended.
const TIME_LIMIT: Duration = Duration::from_hours(24);

/// A check that has ended.
#[derive(Debug)]
pub(super) struct EndedCheck {
    pub(super) number: u32,
    pub(super) state: CheckState,
    /// The time from the start of the fleet to the end of the check.
    pub(super) took: Duration,
    pub(super) finished_after_last_answer: Duration,
    pub(super) answered: usize,
    pub(super) responses: Vec<Response>,
    /// The time from the first question to the end of the check.
    pub(super) lasted: Duration,
    /// The time from the first question to the interim fold, if there was one.
    pub(super) folded_after: Option<Duration>,
}

/// The figures of a fleet.
pub(super) struct FleetRun {
    /// The last check of each entity.
    pub(super) checks: Vec<EndedCheck>,
    /// The number of published events.
    pub(super) messages: usize,
    /// The number of running checks that admissions read, by the time since the start of the fleet.
    pub(super) listed: Vec<(Duration, usize)>,
    /// The times since the start of the fleet at which a tick found the provider `openai` paused.
    pub(super) paused: Vec<Duration>,
    pub(super) start: Timestamp,
    /// The number of entities whose check was due and unclaimed after the first tick after the outage.
    pub(super) queued_after_outage: usize,
}

/// A time in which nothing runs. Invocations that run when it begins are lost, and the queues keep their
/// messages.
#[derive(Clone, Copy)]
pub(super) struct Outage {
    /// The time from the start of the fleet to the outage.
    pub(super) begins: Duration,
    pub(super) lasts: Duration,
}

/// The conditions under which a fleet runs.
struct Conditions {
    workers: u32,
    outage: Option<Outage>,
    script: Script,
}

impl Default for Conditions {
    fn default() -> Self {
        Self {
            workers: SHARD_CONCURRENCY,
            outage: None,
            script: rejects_key(Duration::ZERO),
        }
    }
}

/// What an invocation handles.
#[derive(Clone)]
enum Trigger {
    Tick,
    Shard(String),
    Step(String),
}

/// A fleet that runs.
struct Fleet {
    checker: Checker,
    network: FleetNetwork,
    store: Store,
    start: Timestamp,
    first_tick: Instant,
    /// The next whole minute since the first tick.
    next_tick: Instant,
    /// The workspaces by number.
    tenants: BTreeMap<usize, Tenant>,
    entities: Vec<(Tenant, EntityId)>,
    paused: Vec<Duration>,
    running: JoinSet<usize>,
    /// What the running invocations handle, by their number.
    in_flight: BTreeMap<usize, Trigger>,
    invocations: usize,
    listed: Vec<(Duration, usize)>,
    busy_shards: usize,
    busy_steps: usize,
    /// The entities whose check has ended, with the time of the end.
    ended: BTreeMap<usize, Timestamp>,
}

impl FleetRun {
    /// Runs the checks of all entities to their ends.
    pub(super) fn execute(tracked: &[Tracked]) -> Self {
        Self::run(tracked, &Conditions::default())
    }

    /// Runs the checks of all entities to their ends, with this number of workers.
    pub(super) fn execute_with_workers(tracked: &[Tracked], workers: u32) -> Self {
        Self::run(
            tracked,
            &Conditions {
                workers,
                ..Conditions::default()
            },
        )
    }

    /// Runs the checks of all entities with an outage, during which nothing runs.
    pub(super) fn execute_with_outage(tracked: &[Tracked], outage: Outage) -> Self {
        Self::run(
            tracked,
            &Conditions {
                outage: Some(outage),
                ..Conditions::default()
            },
        )
    }

    /// Runs the checks of all entities. The provider of the first of five models rejects the key for a while.
    pub(super) fn execute_with_bad_key(tracked: &[Tracked], rejects_for: Duration) -> Self {
        Self::run(
            tracked,
            &Conditions {
                script: rejects_key(rejects_for),
                ..Conditions::default()
            },
        )
    }

    /// Runs the checks of all entities, each from its creation on, with so many workers that no check waits
    /// for one.
    pub(super) fn execute_with_script(tracked: &[Tracked], script: Script) -> Self {
        Self::run(
            tracked,
            &Conditions {
                workers: 16,
                outage: None,
                script,
            },
        )
    }

    fn run(tracked: &[Tracked], conditions: &Conditions) -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        runtime.block_on(async {
            let mut fleet = Fleet::start(Backend::new(), conditions).await;
            let mut later = tracked;
            while let Some(next) = later.first() {
                let created_at = fleet.first_tick + next.created_after;
                fleet.run_until(created_at).await;
                sleep_until(created_at).await;
                let together = |entity: &Tracked| entity.created_after == next.created_after;
                let (created, rest) = later.split_at(later.partition_point(together));
                fleet.create(created).await;
                later = rest;
            }
            let mut queued_after_outage = 0;
            if let Some(Outage { begins, lasts }) = conditions.outage {
                fleet.run_until(Instant::now() + begins).await;
                fleet.crash();
                tokio::time::sleep(lasts).await;
                fleet.invoke(Trigger::Tick);
                let ended = fleet.running.join_next().await.unwrap();
                fleet.end(ended.unwrap());
                queued_after_outage = fleet.queued().await;
            }
            fleet.run_until(Instant::now() + TIME_LIMIT).await;
            assert_eq!(fleet.ended.len(), tracked.len(), "the checks do not end");
            FleetRun {
                checks: fleet.ended_checks().await,
                listed: fleet.listed,
                paused: fleet.paused,
                start: fleet.start,
                messages: fleet.network.queues.lock().unwrap().published,
                queued_after_outage,
            }
        })
    }
}

impl Fleet {
    async fn start(backend: Backend, conditions: &Conditions) -> Self {
        let clock = Arc::new(SimulatedClock::start());
        let aws = backend.aws.clone();
        let network = FleetNetwork {
            queues: Arc::default(),
            published: Arc::default(),
            backend: Arc::new(backend),
            clock: clock.clone(),
        };
        let aws = network.clone().wrap(&aws);
        let catalogue = Arc::new(catalogue());
        let store = Store::new(&aws, TABLE, clock.clone());
        store.create_table().await.unwrap();
        let start = Instant::now();
        let providers = ["openai", "mistral"].map(|name| {
            let script = conditions.script.clone();
            Box::new(SlowProvider { name, start, script }) as Box<dyn Provider>
        });
        let checker = Checker {
            store: store.clone(),
            bus: Bus::new(&aws, "bus"),
            providers: Arc::new(providers.into_iter().collect::<Providers>()),
            catalogue: catalogue.clone(),
            clock: clock.clone(),
            shard_concurrency: conditions.workers,
        };
        Self {
            start: clock.now(),
            first_tick: start,
            next_tick: start,
            checker,
            network,
            store,
            tenants: BTreeMap::new(),
            entities: Vec::new(),
            paused: Vec::new(),
            running: JoinSet::new(),
            in_flight: BTreeMap::new(),
            invocations: 0,
            listed: Vec::new(),
            busy_shards: 0,
            busy_steps: 0,
            ended: BTreeMap::new(),
        }
    }

    /// Creates entities, whose checks are due at once.
    async fn create(&mut self, tracked: &[Tracked]) {
        let (store, catalogue) = (&self.store, &self.checker.catalogue);
        let first = self.entities.len();
        let created = create_entities(store, catalogue, &mut self.tenants, first, tracked).await;
        self.entities.extend(created);
    }

    /// Runs the fleet until all checks have ended, or until `then`.
    async fn run_until(&mut self, then: Instant) {
        while self.ended.len() < self.entities.len() && Instant::now() < then {
            if Instant::now() >= self.next_tick {
                let listed = self.store.running_checks().await.unwrap().len();
                let time = self.checker.clock.now().duration_since(self.start);
                self.listed.push((time, listed));
                if self.store.provider_pause("openai").await.unwrap().is_some() {
                    self.paused.push(time);
                }
                self.invoke(Trigger::Tick);
                while self.next_tick <= Instant::now() {
                    self.next_tick += MINUTE;
                }
            }
            let next_tick = self.next_tick;
            self.deliver();
            let published = self.network.published.clone();
            tokio::select! {
                biased;
                Some(ended) = self.running.join_next() => self.end(ended.unwrap()),
                () = published.notified() => {}
                () = sleep_until(next_tick.min(then)) => {}
            }
        }
    }

    /// Starts an invocation for each message, up to the number of workers of its queue.
    fn deliver(&mut self) {
        loop {
            let mut queues = self.network.queues.lock().unwrap();
            let has_worker = self.busy_shards < usize::try_from(self.checker.shard_concurrency).unwrap();
            let shard = has_worker.then(|| queues.shards.pop_front()).flatten();
            let has_place = self.busy_steps < CONCURRENT_STEPS;
            let step = has_place.then(|| queues.steps.pop_front()).flatten();
            drop(queues);
            if shard.is_none() && step.is_none() {
                return;
            }
            if let Some(shard) = shard {
                self.busy_shards += 1;
                self.invoke(Trigger::Shard(shard));
            }
            if let Some(step) = step {
                self.busy_steps += 1;
                self.invoke(Trigger::Step(step));
            }
        }
    }

    fn invoke(&mut self, trigger: Trigger) {
        let checker = self.checker.clone();
        self.invocations += 1;
        let number = self.invocations;
        self.in_flight.insert(number, trigger.clone());
        self.running.spawn(async move {
            let killed_at = checker.clock.real_now() + INVOCATION;
            let event = match &trigger {
                Trigger::Tick => tick(checker.clock.now()),
                Trigger::Shard(body) | Trigger::Step(body) => {
                    json!({"Records": [{"messageId": "m", "body": body}]})
                }
            };
            let result = checker.handle(event, killed_at).await.unwrap();
            let failures = result["batchItemFailures"].as_array();
            assert!(failures.is_none_or(Vec::is_empty), "a step failed");
            number
        });
    }

    /// Loses all running invocations. Their messages return to the queues.
    fn crash(&mut self) {
        self.running = JoinSet::new();
        (self.busy_shards, self.busy_steps) = (0, 0);
        let mut queues = self.network.queues.lock().unwrap();
        for trigger in std::mem::take(&mut self.in_flight).into_values() {
            match trigger {
                Trigger::Tick => {}
                Trigger::Shard(body) => queues.shards.push_back(body),
                Trigger::Step(body) => queues.steps.push_back(body),
            }
        }
    }

    fn end(&mut self, invocation: usize) {
        match self.in_flight.remove(&invocation).unwrap() {
            Trigger::Tick => {}
            Trigger::Shard(_) => self.busy_shards -= 1,
            Trigger::Step(body) => {
                self.busy_steps -= 1;
                if let Ok(CheckEvent::CheckAnswered(check)) = CheckEvent::from_envelope(&body) {
                    let is_own = |(_, id): &(Tenant, EntityId)| *id == check.entity_id;
                    let index = self.entities.iter().position(is_own).unwrap();
                    self.ended.entry(index).or_insert(self.checker.clock.now());
                }
            }
        }
    }

    /// Returns the number of entities whose check is due and unclaimed.
    async fn queued(&self) -> usize {
        let mut queued = 0;
        for (tenant, id) in &self.entities {
            let entity = self.store.entity(tenant, id).await.unwrap().unwrap();
            queued += usize::from(entity.due_since(self.checker.clock.now()).is_some());
        }
        queued
    }

    async fn ended_checks(&self) -> Vec<EndedCheck> {
        let mut checks = Vec::new();
        for (index, (tenant, id)) in self.entities.iter().enumerate() {
            let entity = self.store.entity(tenant, id).await.unwrap().unwrap();
            let last = entity.last_check.unwrap();
            let check = self.store.check(tenant, id, last.check).await.unwrap().unwrap();
            let responses = self.store.responses_of(tenant, id, last.key()).await.unwrap();
            let last_answer = responses
                .iter()
                .map(|response| response.answered_at)
                .max()
                .unwrap();
            let is_answered = |response: &&Response| response.state == ResponseState::Answered;
            checks.push(EndedCheck {
                number: entity.check_seq.get(),
                state: check.state,
                took: self.ended[&index].duration_since(self.start),
                finished_after_last_answer: last.completed_at.duration_since(last_answer),
                lasted: last.completed_at.duration_since(check.started_at.unwrap()),
                folded_after: check
                    .folded_at
                    .zip(check.started_at)
                    .map(|(folded, started)| folded.duration_since(started)),
                answered: responses.iter().filter(is_answered).count(),
                responses,
            });
        }
        checks
    }
}
