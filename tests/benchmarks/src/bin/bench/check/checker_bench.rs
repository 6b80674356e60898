//! Runs a checker on one thread, and everything else on other threads.

use std::sync::{Arc, Mutex};

use acceptance::{FakeOpenAi, SeededRng, brand_name, long_answer};
use api::ApiState;
use checker::Checker;
use domain::check::{Plan, Response};
use domain::check_key::CheckKey;
use domain::clock::Clock;
use domain::ordinal::CheckNumber;
use domain::time::{DAY, Timestamp};
use events::{Bus, CheckEvent, CheckRef};
use local::bus::{EventHandler, EventsEndpoint, Queue, Rule, queue};
use providers::Providers;
use serde_json::Value;
use store::connect;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use super::super::call_recorder::CallRecorder;
use super::super::instructions;
use super::super::table::{BRANDS, Table};
use super::super::workload::Workload;

/// The number of brands that the workspace tracks.
const KNOWN: usize = 20;
/// The shards that the checker works on at a time.
const SHARD_CONCURRENCY: u32 = 8;
/// The deadline of an invocation that is never killed.
const NEVER: Timestamp = Timestamp::from_millis(i64::MAX);

/// A checker with a table, a bus and a fake provider.
pub(crate) struct CheckerBench {
    pub(super) table: Table,
    pub(super) checker: Checker,
    /// Records the checker's calls to the table.
    pub(super) recorder: CallRecorder,
    queue: Queue,
    published: Arc<Mutex<Vec<Value>>>,
}

/// A completed check with the instructions of its steps.
pub(crate) struct MeasuredCheck {
    pub(super) check: CheckNumber,
    pub(super) plan: Plan,
    pub(super) responses: Vec<Response>,
    /// The claim and the plan.
    pub(super) start: u64,
    pub(super) shards: u64,
    pub(super) finish: u64,
    /// The number of handled messages.
    pub(super) messages: usize,
}

impl CheckerBench {
    pub(super) async fn start() -> Self {
        let names: Vec<String> = (0..KNOWN).map(brand_name).collect();
        let answered_brands = names.clone();
        let provider = FakeOpenAi::start(move |body| {
            let input = body["input"].as_str().unwrap_or_default();
            let seed = input.bytes().fold(7, |seed: u64, byte| {
                seed.wrapping_mul(31).wrapping_add(u64::from(byte))
            });
            long_answer(&mut SeededRng::new(seed), &answered_brands)
        })
        .await;

        let table = Table::start(&Workload::CHECK).await;
        let recorder = CallRecorder::new();
        let app = table.app(&recorder);
        let ApiState {
            store,
            clock,
            catalogue,
            ..
        } = app;
        for name in names.iter().skip(BRANDS.len()) {
            table.track(&format!("{}.example", name.to_lowercase())).await;
        }

        let published = Arc::<Mutex<Vec<Value>>>::default();
        let sink = published.clone();
        let handler: EventHandler = Arc::new(move |event| {
            sink.lock().expect("no panic while it is held").push(event);
            Box::pin(async { Ok(Value::Null) })
        });
        let queue = Queue::start(handler, clock.clone(), queue::Settings::default());
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
        let endpoint = format!("http://{}", listener.local_addr().expect("an address"));
        let rule = Rule::source(events::SOURCE);
        let bus = EventsEndpoint::new([(rule, queue.clone())], clock.clone());
        tokio::spawn(bus.serve(listener, std::future::pending()));
        let checker = Checker {
            store,
            bus: Bus::new(&connect::to_endpoint(&endpoint), "bus"),
            providers: Arc::new(Providers::from_lookup(provider.lookup())),
            catalogue,
            clock,
            shard_concurrency: SHARD_CONCURRENCY,
        };
        Self {
            table,
            checker,
            recorder,
            queue,
            published,
        }
    }

    /// Runs the next day's check, from its claim to its end.
    pub(super) fn check(&self, runtime: &Runtime, background: &Runtime) -> MeasuredCheck {
        let (clock, checker) = (&self.table.clock, &self.checker);
        let (tenant, entity) = (&self.table.tenant, &self.table.entity.id);
        clock.set(clock.now() + DAY);
        let current = runtime.block_on(checker.store.entity(tenant, entity));
        let reference = CheckRef {
            workspace_id: *tenant.workspace(),
            entity_id: *entity,
            check: current.expect("a table").expect("an entity").check_seq.next(),
        };
        let number = reference.check;
        let published = runtime.block_on(checker.bus.publish(&[CheckEvent::CheckWanted(reference)]));
        published.expect("a bus");
        let (mut start, mut shards, mut finish) = (0, 0, 0);
        let mut messages = 0;
        loop {
            let batches = self.take_published(background);
            if batches.is_empty() {
                break;
            }
            messages += batches.len();
            for batch in batches {
                match self.step(runtime, batch) {
                    (CheckEvent::ShardReady(..), count) => shards += count,
                    (CheckEvent::CheckAnswered(_), count) => finish += count,
                    (_, count) => start += count,
                }
            }
        }
        let (plan, mut responses) = runtime.block_on(async {
            let plan = checker.store.plan(tenant, entity, number).await;
            let key = CheckKey {
                day: clock.now().day(),
                check: number,
            };
            let responses = checker.store.responses_of(tenant, entity, key).await;
            (
                plan.expect("a table").expect("a plan"),
                responses.expect("a table"),
            )
        });
        assert_eq!(plan.brands.len(), KNOWN, "every brand is known");
        // In the order in which the questions were asked.
        responses.sort_by_key(|response| (response.model, response.prompt));
        MeasuredCheck {
            check: number,
            plan,
            responses,
            start,
            shards,
            finish,
            messages,
        }
    }

    /// Takes the events that were published since the last call.
    pub(super) fn take_published(&self, background: &Runtime) -> Vec<Value> {
        background.block_on(self.queue.wait_until_idle());
        std::mem::take(&mut *self.published.lock().expect("no panic while it is held"))
    }

    /// Handles an event. Returns it with the number of instructions.
    pub(super) fn step(&self, runtime: &Runtime, batch: Value) -> (CheckEvent, u64) {
        let body = batch["Records"][0]["body"].as_str().unwrap_or_default();
        let event = CheckEvent::from_envelope(body).expect("an event of a check");
        let (result, instructions) =
            instructions::count(|| runtime.block_on(self.checker.handle(batch, NEVER)));
        let failures = result.expect("the event is handled")["batchItemFailures"].take();
        assert_eq!(failures, Value::Array(Vec::new()), "{event:?}");
        (event, instructions)
    }
}
