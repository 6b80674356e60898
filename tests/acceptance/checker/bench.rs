//! A checker with a table, a bus that keeps what is published, and a provider that says what a test wants.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use acceptance::{Faults, OpenAi, Reply};
use checker::{Checker, LOOK_AT_ALL};
use domain::answer::State;
use domain::check::{CheckState, Plan, Response};
use domain::entity::Entity;
use domain::facts::Family;
use domain::facts::visibility::{Visibility, VisibilityCell};
use domain::id::EntityId;
use domain::period::Range;
use domain::time::Day;
use events::Bus;
use local::bus::{EventHandler, Events, Queue, Rule, queue, schedule};
use providers::Providers;
use serde_json::Value;
use store::{Tenant, connect};
use tokio::net::TcpListener;

use crate::store::table::{NOON, Table, catalogue};

/// A workspace's credits at the start of each test.
pub(super) const CREDITS: i64 = 10_000;

/// When the provider was asked: model, input.
type Asks = Arc<Mutex<Vec<(Instant, String, String)>>>;

pub(super) struct Bench {
    pub(super) table: Table,
    /// On the way to the bus.
    pub(super) bus_faults: Faults,
    pub(super) provider: OpenAi,
    pub(super) tenant: Tenant,
    pub(super) entity: EntityId,
    pub(super) checker: Checker,
    asks: Asks,
    queue: Queue,
    published: Arc<Mutex<Vec<Value>>>,
}

impl Bench {
    /// An entity `acme` with prompts `Question 1?`… and the models `small` and `large`, due now. `script`
    /// gets a request's model and input.
    pub(super) async fn start<R: Into<Reply>>(
        prompts: usize,
        script: impl Fn(&str, &str) -> R + Send + Sync + 'static,
    ) -> Self {
        let table = Table::start().await;
        let asks = Asks::default();
        let log = asks.clone();
        let provider = OpenAi::start(move |body| {
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
        let bus = Events::new(rule, queue.clone(), table.clock.clone());
        tokio::spawn(bus.serve(listener, std::future::pending()));

        let bus_faults = Faults::default();
        let checker = Checker {
            store: table.store.clone(),
            bus: Bus::new(&bus_faults.around(&connect::to_endpoint(&endpoint)), "bus"),
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
    pub(super) fn tick_event(&self, everything: bool) -> Value {
        let mut tick = schedule::tick(self.table.now());
        if everything {
            tick["detail"][LOOK_AT_ALL] = true.into();
        }
        tick
    }

    pub(super) async fn tick(&self) {
        self.checker.handle(self.tick_event(false)).await.unwrap();
    }

    /// Delivers a batch; how many of its messages are given back.
    pub(super) async fn deliver(&self, batch: &Value) -> usize {
        let result = self.checker.handle(batch.clone()).await.unwrap();
        result["batchItemFailures"].as_array().unwrap().len()
    }

    /// What was published since the last time, as the queue delivers it.
    pub(super) async fn published(&self) -> Vec<Value> {
        self.queue.wait_idle().await;
        std::mem::take(&mut *self.published.lock().unwrap())
    }

    /// Delivers what is published until nothing more is. Every batch that was delivered.
    pub(super) async fn run(&self) -> Vec<Value> {
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

    pub(super) async fn seen(&self) -> Entity {
        self.table.seen(&self.tenant, &self.entity).await
    }

    pub(super) async fn responses(&self) -> Vec<Response> {
        let day = NOON.day();
        self.table
            .store
            .responses_of(&self.tenant, &self.entity, day, 1)
            .await
            .unwrap()
    }

    /// Waits until so many answers are recorded, at most 10 seconds.
    pub(super) async fn recorded(&self, count: usize) {
        for _ in 0..1_000 {
            if self.responses().await.len() >= count {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("{count} answers are not recorded");
    }

    pub(super) async fn check_state(&self) -> CheckState {
        let check = self.table.store.check(&self.tenant, &self.entity, 1).await;
        check.unwrap().unwrap().state
    }

    pub(super) async fn plan(&self) -> Plan {
        let plan = self.table.store.plan(&self.tenant, &self.entity, 1).await;
        plan.unwrap().unwrap()
    }

    /// When each question was asked, by (prompt, model) ordinals.
    async fn asks(&self, plan: &Plan) -> BTreeMap<(u32, u32), Vec<Instant>> {
        let prompts = self
            .table
            .store
            .prompts(&self.tenant, &self.entity)
            .await
            .unwrap();
        let prompts: BTreeMap<&str, u32> = prompts.iter().map(|p| (p.text.as_str(), p.ordinal)).collect();
        let catalogue = catalogue();
        let models: BTreeMap<&str, u32> = plan
            .models
            .iter()
            .map(|m| (catalogue.get(m.uuid).unwrap().model.as_str(), m.ordinal))
            .collect();
        let mut asks = BTreeMap::<_, Vec<Instant>>::new();
        for (at, model, input) in self.asks.lock().unwrap().iter() {
            let question = (prompts[input.as_str()], models[model.as_str()]);
            asks.entry(question).or_default().push(*at);
        }
        asks
    }

    /// When each response was put, by (prompt, model) ordinals.
    fn recordings(&self) -> BTreeMap<(u32, u32), Instant> {
        let mut recordings = BTreeMap::new();
        for call in self.table.faults.calls() {
            if call.operation != "TransactWriteItems" || !call.took_effect() {
                continue;
            }
            for action in call.request["TransactItems"].as_array().unwrap() {
                let item = &action["Put"]["Item"];
                if !item["PK"]["S"].as_str().is_some_and(|pk| pk.contains("#R#")) {
                    continue;
                }
                let number = |name: &str| item[name]["N"].as_str().unwrap().parse().unwrap();
                let at = call.ended.unwrap();
                recordings
                    .entry((number("prompt"), number("model")))
                    .or_insert(at);
            }
        }
        recordings
    }

    /// What must hold of a check that has ended, whatever happened on the way. Its responses.
    pub(super) async fn audit(&self) -> Vec<Response> {
        let entity = self.seen().await;
        assert!(entity.running.is_none() && !entity.is_processing(self.table.now()));
        let last = entity.last_check.as_ref().unwrap();
        assert_eq!((last.check, last.day), (1, NOON.day()));

        let plan = self.plan().await;
        let responses = self.responses().await;
        let of = |r: &Response| (r.prompt, r.model);
        let questions: Vec<(u32, u32)> = responses.iter().map(of).collect();
        let models: Vec<u32> = plan.models.iter().map(|m| m.ordinal).collect();
        let asked_for: Vec<(u32, u32)> = plan
            .prompts
            .iter()
            .flat_map(|p| models.iter().map(move |m| (*p, *m)))
            .collect();
        assert_eq!(questions, asked_for, "one response per question");

        let recordings = self.recordings();
        for (question, asks) in self.asks(&plan).await {
            let recorded = recordings[&question];
            assert!(
                asks.iter().all(|at| *at <= recorded),
                "{question:?} was asked again"
            );
        }
        let price: BTreeMap<u32, i64> = plan
            .models
            .iter()
            .map(|m| (m.ordinal, i64::from(m.credits)))
            .collect();
        let answered = responses.iter().filter(|r| r.state == State::Answered);
        let used: i64 = answered.map(|r| price[&r.model]).sum();
        assert_eq!(self.table.credits(&self.tenant).await, (CREDITS - used, 0, used));
        self.audit_facts(last.day, &responses).await;
        responses
    }

    /// The facts say what the responses say.
    async fn audit_facts(&self, day: Day, responses: &[Response]) {
        let store = &self.table.store;
        let range = Range::usual(day);
        let index = store
            .fact_index(&self.tenant, &self.entity, &range, true)
            .await
            .unwrap();
        assert!(index.has(day, 1));
        let sealed = store
            .segments(
                &self.tenant,
                &self.entity,
                Family::Visibility,
                &range,
                &index,
                true,
            )
            .await
            .unwrap();
        assert_eq!(sealed.len(), 1);
        let facts = Visibility::decode(&sealed[0].1).unwrap();
        let cells: Vec<VisibilityCell> = facts
            .cells()
            .map(|c| VisibilityCell {
                prompt: c.prompt,
                model: c.model,
                state: c.state,
                brands: c.brands.to_vec(),
            })
            .collect();
        let expected: Vec<VisibilityCell> = responses
            .iter()
            .map(|r| VisibilityCell {
                prompt: r.prompt,
                model: r.model,
                state: r.state,
                brands: r.brands.clone(),
            })
            .collect();
        assert_eq!(cells, expected);
    }
}

/// The number in `Question 7?`.
pub(super) fn number(input: &str) -> usize {
    let digits: String = input.chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap()
}

/// Even questions mention the brand.
pub(super) fn plain(_model: &str, input: &str) -> Value {
    let text = if number(input).is_multiple_of(2) {
        "I recommend Acme."
    } else {
        "I recommend Other."
    };
    acceptance::answer(text, &["https://example.com/a"], &["q"])
}
