//! Measures what a request to an endpoint costs.

use std::time::{Duration, Instant};

use acceptance::{AwsCall, depth};
use analytics_core::AnalyticsState;
use api::{ApiState, Route};
use futures::future::join_all;
use lambda_http::{Body, Request, Response, Service};
use serde_json::Value;
use tokio::runtime::Runtime;

use super::call_recorder::{CallRecorder, Recorded};
use super::cpu;
use super::sdk_call::SdkCall;

/// How long the CPU time is measured, within the minimum and maximum number of runs.
const MEASURED_TIME: Duration = Duration::from_millis(400);
const MIN_RUNS: usize = 7;
const MAX_RUNS: usize = 200;
/// Measured requests that go to the database.
const DATABASE_RUNS: usize = 3;

/// What one request costs.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Cost {
    /// Read units of segments and index; of the prompt list; of all other items.
    pub(crate) facts: f64,
    pub(crate) prompts: f64,
    pub(crate) others: f64,
    pub(crate) calls: usize,
    pub(crate) depth: usize,
    /// CPU of the function's own work, and of the SDK with its HTTP.
    pub(crate) own: Duration,
    pub(crate) sdk: Duration,
    pub(crate) wall: Duration,
}

/// Runs the functions on one thread and measures them.
pub(crate) struct EndpointMeter<'a> {
    runtime: &'a Runtime,
    tap: CallRecorder,
    app: ApiState,
    db: aws_sdk_dynamodb::Client,
}

impl<'a> EndpointMeter<'a> {
    pub(crate) fn new(
        runtime: &'a Runtime,
        tap: CallRecorder,
        (app, db): (ApiState, aws_sdk_dynamodb::Client),
    ) -> Self {
        Self {
            runtime,
            tap,
            app,
            db,
        }
    }

    fn state(&self) -> AnalyticsState {
        AnalyticsState::new(self.app.clone())
    }

    /// The body of the response to an event.
    pub(crate) fn body(&self, event: &Value) -> Value {
        self.tap.through();
        let answer = self.answer(&self.state(), event).0;
        match answer.body() {
            Body::Text(text) => serde_json::from_str(text).expect("a JSON body"),
            _ => panic!("no text"),
        }
    }

    /// The costs of the first request of an instance and of a later one.
    pub(crate) fn costs(&self, event: &Value) -> [Cost; 2] {
        let warm = self.state();
        self.tap.through();
        self.answer(&warm, event);
        [
            self.cost(event, || self.state()),
            self.cost(event, || warm.clone()),
        ]
    }

    fn cost(&self, event: &Value, state: impl Fn() -> AnalyticsState) -> Cost {
        self.tap.record();
        self.answer(&state(), event);
        let recorded = self.tap.calls();
        self.tap.through();
        let real: Vec<(Duration, Duration)> = (0..DATABASE_RUNS)
            .map(|_| {
                let (state, start) = (state(), Instant::now());
                let cpu = self.answer(&state, event).1;
                (cpu, start.elapsed())
            })
            .collect();
        let total = cpu::median(real.iter().map(|(cpu, _)| *cpu).collect());
        let wall = cpu::median(real.into_iter().map(|(_, wall)| wall).collect());
        let own = self.own(event, state, &recorded);
        let calls: Vec<AwsCall> = recorded.iter().map(|r| r.call.clone()).collect();
        let units = |kind| {
            let of_kind = recorded.iter().filter(|r| kind_of(r) == kind);
            of_kind.fold(0.0, |sum, r| sum + r.units)
        };
        Cost {
            facts: units(Kind::Facts),
            prompts: units(Kind::Prompts),
            others: units(Kind::Others),
            calls: calls.len(),
            depth: depth(&calls),
            own,
            sdk: total.saturating_sub(own),
            wall,
        }
    }

    /// The CPU time of a request whose calls are replayed from memory, minus the CPU time that the SDK alone takes for
    /// these calls.
    fn own(&self, event: &Value, state: impl Fn() -> AnalyticsState, recorded: &[Recorded]) -> Duration {
        self.tap.replay(recorded);
        let rounds: Vec<Vec<SdkCall>> = rounds(recorded)
            .iter()
            .map(|calls| calls.iter().map(|call| SdkCall::new(&self.db, call)).collect())
            .collect();
        let (mut whole, mut alone) = (Vec::new(), Vec::new());
        let start = Instant::now();
        while whole.len() < MIN_RUNS || (whole.len() < MAX_RUNS && start.elapsed() < MEASURED_TIME) {
            let state = state();
            whole.push(self.answer(&state, event).1);
            let before = cpu::now();
            self.runtime.block_on(async {
                for calls in &rounds {
                    join_all(calls.iter().map(SdkCall::send)).await;
                }
            });
            alone.push(cpu::now() - before);
        }
        cpu::median(whole).saturating_sub(cpu::median(alone))
    }

    /// The response to an event, with the CPU time of this thread.
    fn answer(&self, state: &AnalyticsState, event: &Value) -> (Response<Body>, Duration) {
        let request = lambda_http::request::from_str(&event.to_string()).expect("an event");
        let path = event["rawPath"].as_str().unwrap_or_default();
        let of_prompts = path.strip_prefix(api::BASE_PATH) == Some("/entities/prompts");
        let (function, routes) = if of_prompts {
            ("prompts", prompts::ROUTES)
        } else {
            ("analytics", analytics::ROUTES)
        };
        let (answer, took) = self
            .runtime
            .block_on(call(function, routes, state.clone(), request));
        assert_eq!(answer.status().as_u16(), 200, "{:?}", answer.body());
        (answer, took)
    }
}

async fn call(
    function: &'static str,
    routes: &'static [Route<AnalyticsState>],
    state: AnalyticsState,
    request: Request,
) -> (Response<Body>, Duration) {
    let mut service = api::service(function, routes, state);
    let before = cpu::now();
    let answer = service.call(request).await.expect("the service does not fail");
    (answer, cpu::now() - before)
}

/// The calls in rounds. The calls of a round were made concurrently.
fn rounds(recorded: &[Recorded]) -> Vec<Vec<Recorded>> {
    let mut calls = recorded.to_vec();
    calls.sort_by_key(|recorded| recorded.call.started);
    let mut rounds: Vec<Vec<Recorded>> = Vec::new();
    for recorded in calls {
        let began = recorded.call.started;
        let is_beside =
            |round: &Vec<Recorded>| round.iter().any(|r| r.call.ended.is_none_or(|end| end > began));
        match rounds.last_mut().filter(|round| is_beside(round)) {
            Some(round) => round.push(recorded),
            None => rounds.push(vec![recorded]),
        }
    }
    rounds
}

#[derive(PartialEq, Eq)]
enum Kind {
    Facts,
    Prompts,
    Others,
    /// Writes take no read units.
    Written,
}

fn kind_of(recorded: &Recorded) -> Kind {
    let (call, asked) = (&recorded.call, recorded.call.request.to_string());
    if call.operation == "UpdateItem" {
        Kind::Written
    } else if asked.contains("#F\"") || asked.contains("#F#") {
        Kind::Facts
    } else if asked.contains("\"PROMPT#") {
        Kind::Prompts
    } else {
        Kind::Others
    }
}
