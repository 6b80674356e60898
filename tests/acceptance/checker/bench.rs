//! A checker with a table, a bus that keeps what is published, and a provider that says what a test wants.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use acceptance::{FakeOpenAi, FaultInjector, ProviderReply};
use checker::{Checker, RECONCILE_ALL};
use domain::check::{CheckState, Plan, Response};
use domain::entity::Entity;
use domain::id::EntityId;
use domain::time::Timestamp;
use events::Bus;
use local::bus::{EventHandler, EventsEndpoint, Queue, Rule, queue, schedule};
use providers::Providers;
use serde_json::Value;
use store::{Tenant, connect};
use tokio::net::TcpListener;

use crate::store::table::{NOON, Table, catalogue};

/// A workspace's credits at the start of each test.
pub(crate) const CREDITS: i64 = 10_000;
/// An invocation that nobody kills.
pub(crate) const NEVER: Timestamp = Timestamp::from_millis(i64::MAX);

/// When the provider was asked: model, input.
pub(crate) type Asks = Arc<Mutex<Vec<(Instant, String, String)>>>;

pub(crate) struct Bench {
    pub(crate) table: Table,
    /// On the way to the bus.
    pub(crate) bus_faults: FaultInjector,
    pub(crate) provider: FakeOpenAi,
    pub(crate) tenant: Tenant,
    pub(crate) entity: EntityId,
    pub(crate) checker: Checker,
    pub(crate) asks: Asks,
    queue: Queue,
    published: Arc<Mutex<Vec<Value>>>,
}

impl Bench {
    /// An entity `acme` with prompts `Question 1?`… and the models `small` and `large`, due now. `script`
    /// gets a request's model and input.
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
        let rule = Rule::sources(vec![::events::SOURCE.to_owned()]);
        let bus = EventsEndpoint::new(rule, queue.clone(), table.clock.clone());
        tokio::spawn(bus.serve(listener, std::future::pending()));

        let bus_faults = FaultInjector::default();
        let checker = Checker {
            store: table.store.clone(),
            bus: Bus::new(&bus_faults.inject_into(&connect::to_endpoint(&endpoint)), "bus"),
            providers: Arc::new(Providers::from_lookup(provider.lookup())),
            catalogue: Arc::new(catalogue()),
            clock: table.clock.clone(),
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

    /// The event of a tick; `everything`: as at the start of the local host.
    pub(crate) fn tick_event(&self, everything: bool) -> Value {
        let mut tick = schedule::tick(self.table.now());
        if everything {
            tick["detail"][RECONCILE_ALL] = true.into();
        }
        tick
    }

    pub(crate) async fn tick(&self) {
        self.checker.handle(self.tick_event(false), NEVER).await.unwrap();
    }

    /// Delivers a batch; how many of its messages are given back.
    pub(crate) async fn deliver(&self, batch: &Value) -> usize {
        let result = self.checker.handle(batch.clone(), NEVER).await.unwrap();
        result["batchItemFailures"].as_array().unwrap().len()
    }

    /// What was published since the last time, as the queue delivers it.
    pub(crate) async fn published(&self) -> Vec<Value> {
        self.queue.wait_idle().await;
        std::mem::take(&mut *self.published.lock().unwrap())
    }

    /// Delivers what is published until nothing more is. Every batch that was delivered.
    pub(crate) async fn run(&self) -> Vec<Value> {
        let mut delivered = Vec::new();
        loop {
            let batches = self.published().await;
            if batches.is_empty() {
                return delivered;
            }
            for batch in batches {
                assert_eq!(self.deliver(&batch).await, 0);
                delivered.push(batch);
            }
        }
    }

    /// Requests that the provider got.
    pub(crate) fn asked_in_all(&self) -> usize {
        self.asks.lock().unwrap().len()
    }

    pub(crate) async fn seen(&self) -> Entity {
        self.table.seen(&self.tenant, &self.entity).await
    }

    pub(crate) async fn responses(&self) -> Vec<Response> {
        let day = NOON.day();
        self.table
            .store
            .responses_of(&self.tenant, &self.entity, day, 1)
            .await
            .unwrap()
    }

    /// Waits until so many answers are recorded, at most 10 seconds.
    pub(crate) async fn recorded(&self, count: usize) {
        for _ in 0..1_000 {
            if self.responses().await.len() >= count {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("{count} answers are not recorded");
    }

    pub(crate) async fn check_state(&self) -> CheckState {
        let check = self.table.store.check(&self.tenant, &self.entity, 1).await;
        check.unwrap().unwrap().state
    }

    pub(crate) async fn plan(&self) -> Plan {
        let plan = self.table.store.plan(&self.tenant, &self.entity, 1).await;
        plan.unwrap().unwrap()
    }
}

/// The number in `Question 7?`.
pub(crate) fn number(input: &str) -> usize {
    let digits: String = input.chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap()
}

/// Even questions mention the brand.
pub(crate) fn plain(_model: &str, input: &str) -> Value {
    let text = if number(input).is_multiple_of(2) {
        "I recommend Acme."
    } else {
        "I recommend Other."
    };
    acceptance::answer(text, &["https://example.com/a"], &["q"])
}
