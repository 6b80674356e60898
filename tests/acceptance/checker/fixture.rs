//! A test fixture with a checker, a table, a bus that keeps published events, and a scripted provider.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use acceptance::{FakeOpenAi, Fault, FaultInjector, ProviderReply};
use checker::{Checker, RECONCILE_ALL};
use domain::check::{Check, CheckState, Plan, Response, ShardList};
use domain::check_key::CheckKey;
use domain::entity::Entity;
use domain::id::EntityId;
use domain::limits::CHECK_DEADLINE;
use domain::ordinal::CheckNumber;
use domain::time::Timestamp;
use events::Bus;
use local::bus::{EventHandler, EventsEndpoint, Queue, Rule, queue, schedule};
use providers::Providers;
use serde_json::Value;
use store::{Lease, Tenant, connect};
use tokio::net::TcpListener;

use crate::store::table::{NOON, Table, catalogue};

/// The credits of a workspace at the start of each test.
pub(crate) const CREDITS: i64 = 10_000;
/// The shards that the checker works on at a time.
pub(crate) const SHARD_CONCURRENCY: u32 = 8;
/// The number of an entity's first check.
pub(crate) const FIRST_CHECK: CheckNumber = CheckNumber::new(1);
/// An invocation end that is never reached.
pub(crate) const NO_TIME_LIMIT: Timestamp = Timestamp::from_millis(i64::MAX);

/// Each request that the provider received: time, model and input.
pub(crate) type Asks = Arc<Mutex<Vec<(Instant, String, String)>>>;

pub(crate) struct CheckerFixture {
    pub(crate) table: Table,
    /// Faults of the connection to the bus.
    pub(crate) bus_faults: FaultInjector,
    pub(crate) provider: FakeOpenAi,
    pub(crate) tenant: Tenant,
    pub(crate) entity: EntityId,
    pub(crate) checker: Checker,
    pub(crate) asks: Asks,
    queue: Queue,
    published: Arc<Mutex<Vec<Value>>>,
}

impl CheckerFixture {
    /// Starts a fixture whose entity `acme` is due and has the prompts `Question 1?`, `Question 2?` and so
    /// on, and the models `small` and `large`. `script` receives a request's model and input.
    pub(crate) async fn start<R: Into<ProviderReply>>(
        prompts: usize,
        script: impl Fn(&str, &str) -> R + Send + Sync + 'static,
    ) -> Self {
        let table = Table::start().await;
        let asks = Asks::default();
        let log = asks.clone();
        let provider = FakeOpenAi::start(move |body| {
            let text = |name: &str| body[name].as_str().unwrap_or_default().to_owned();
            let (model, input) = (text("model"), text("input"));
            let reply = script(&model, &input);
            log.lock().unwrap().push((Instant::now(), model, input));
            reply
        })
        .await;

        let published = Arc::<Mutex<Vec<Value>>>::default();
        let keep = published.clone();
        let handler: EventHandler = Arc::new(move |event| {
            keep.lock().unwrap().push(event);
            Box::pin(async { Ok(Value::Null) })
        });
        let queue = Queue::start(handler, table.clock.clone(), queue::Settings::default());
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let rule = Rule::source(::events::SOURCE);
        let bus = EventsEndpoint::new([(rule, queue.clone())], table.clock.clone());
        tokio::spawn(bus.serve(listener, std::future::pending()));

        let bus_faults = FaultInjector::default();
        let checker = Checker {
            store: table.store.clone(),
            bus: Bus::new(&bus_faults.inject_into(&connect::to_endpoint(&endpoint)), "bus"),
            providers: Arc::new(Providers::from_lookup(provider.lookup())),
            catalogue: Arc::new(catalogue()),
            clock: table.clock.clone(),
            shard_concurrency: SHARD_CONCURRENCY,
        };
        let tenant = table.tenant(CREDITS).await;
        let entity = table.entity(&tenant, "acme.com", prompts, 2).await.id;
        Self {
            table,
            bus_faults,
            provider,
            tenant,
            entity,
            checker,
            asks,
            queue,
            published,
        }
    }

    /// Returns the event of a tick. With `everything`, it reconciles all running checks, as the local host
    /// does when it starts.
    pub(crate) fn tick_event(&self, everything: bool) -> Value {
        let mut tick = schedule::tick(self.table.now());
        if everything {
            tick["detail"][RECONCILE_ALL] = true.into();
        }
        tick
    }

    pub(crate) async fn tick(&self) {
        self.checker
            .handle(self.tick_event(false), NO_TIME_LIMIT)
            .await
            .unwrap();
    }

    /// Delivers a batch and returns the number of messages that the checker returns to the queue.
    pub(crate) async fn deliver(&self, batch: &Value) -> usize {
        let result = self.checker.handle(batch.clone(), NO_TIME_LIMIT).await.unwrap();
        result["batchItemFailures"].as_array().unwrap().len()
    }

    /// Takes the events published since the last call, in the form in which the queue delivers them.
    pub(crate) async fn take_published(&self) -> Vec<Value> {
        self.queue.wait_until_idle().await;
        std::mem::take(&mut *self.published.lock().unwrap())
    }

    /// Delivers published events until no more are published, and returns every delivered batch.
    pub(crate) async fn deliver_published(&self) -> Vec<Value> {
        let mut delivered = Vec::new();
        loop {
            let batches = self.take_published().await;
            if batches.is_empty() {
                return delivered;
            }
            for batch in batches {
                assert_eq!(self.deliver(&batch).await, 0);
                delivered.push(batch);
            }
        }
    }

    /// Claims the check that is due, and returns the events of its published shards.
    pub(crate) async fn claim_due_check(&self) -> Vec<Value> {
        self.tick().await;
        let claimed = self.take_published().await.remove(0);
        assert_eq!(self.deliver(&claimed).await, 0);
        self.take_published().await
    }

    /// Delivers the claim of the first check, and has each of its shards taken up by a worker that crashes
    /// before it asks.
    pub(crate) async fn crash_each_worker(&self) {
        for event in self.take_published().await {
            if event.to_string().contains("CheckClaimed") {
                assert_eq!(self.deliver(&event).await, 0);
            }
        }
        self.take_published().await;
        for published in self.read_check().await.shards.list(ShardList::Published) {
            self.take_up_shard(published.get()).await;
        }
    }

    /// Has a worker take up a shard of the first check. It asks nothing.
    pub(crate) async fn take_up_shard(&self, number: u32) -> Lease {
        let now = self.table.now();
        let lease = self
            .table
            .lease(&self.tenant, &self.entity, FIRST_CHECK, number)
            .await
            .unwrap();
        let deadline = Some(now + CHECK_DEADLINE);
        let taken_up = self.table.store.take_up_shard(&lease, now, deadline).await;
        assert!(taken_up.unwrap().is_some());
        lease
    }

    /// Delivers the event of a shard to a worker that reads the check and its plan, and cannot lease the
    /// shard.
    pub(crate) async fn deliver_without_lease(&self, shard: &Value) {
        let mut updates = 0;
        self.table.faults.script(move |call| {
            let is_update = call.operation == "UpdateItem";
            updates += usize::from(is_update);
            (is_update && updates <= 3).then_some(Fault::Unreachable)
        });
        assert_eq!(self.deliver(shard).await, 0);
        self.table.faults.none();
    }

    /// Moves the clock to the deadline of a check that has just begun, as if ticks had reconciled the check
    /// all the time.
    pub(crate) async fn reach_deadline(&self) {
        let deadline = self.table.now() + CHECK_DEADLINE;
        let running = self.read_entity().await.running.unwrap();
        let rescheduled = self.table.store.reschedule_reconciliation(
            &self.tenant,
            &self.entity,
            running.check,
            |running| running.next_reconciliation_at = deadline,
        );
        rescheduled.await.unwrap();
        self.table.advance(CHECK_DEADLINE);
    }

    /// Returns the number of requests that the provider received.
    pub(crate) fn ask_count(&self) -> usize {
        self.asks.lock().unwrap().len()
    }

    pub(crate) async fn read_entity(&self) -> Entity {
        self.table.read_entity(&self.tenant, &self.entity).await
    }

    pub(crate) async fn responses(&self) -> Vec<Response> {
        self.table
            .store
            .responses_of(&self.tenant, &self.entity, first_check())
            .await
            .unwrap()
    }

    /// Waits up to 10 seconds until at least `count` responses are recorded.
    pub(crate) async fn wait_for_responses(&self, count: usize) {
        for _ in 0..1_000 {
            if self.responses().await.len() >= count {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("{count} answers are not recorded");
    }

    pub(crate) async fn read_check(&self) -> Check {
        let store = &self.table.store;
        let check = store.check(&self.tenant, &self.entity, FIRST_CHECK).await;
        check.unwrap().unwrap()
    }

    pub(crate) async fn check_state(&self) -> CheckState {
        self.read_check().await.state
    }

    pub(crate) async fn plan(&self) -> Plan {
        let store = &self.table.store;
        let plan = store.plan(&self.tenant, &self.entity, FIRST_CHECK).await;
        plan.unwrap().unwrap()
    }
}

/// Returns the key of the first check of an entity that is due when the fixture starts.
pub(crate) fn first_check() -> CheckKey {
    CheckKey {
        day: NOON.day(),
        check: FIRST_CHECK,
    }
}

/// Parses the number in a text such as `Question 7?`. The service's own question has none and gets 0.
pub(crate) fn prompt_number(input: &str) -> usize {
    let digits: String = input.chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap_or_default()
}

/// Answers a question. Answers to even-numbered questions mention the brand.
pub(crate) fn default_answer(_model: &str, input: &str) -> Value {
    let text = if prompt_number(input).is_multiple_of(2) {
        "I recommend Acme."
    } else {
        "I recommend Other."
    };
    acceptance::answer(text, &["https://example.com/a"], &["q"])
}
