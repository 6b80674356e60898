//! Measures the read units, calls and CPU time of a request to an endpoint.

use std::sync::Arc;
use std::time::{Duration, Instant};

use acceptance::{AwsCall, serial_depth};
use analytics::AnalyticsState;
use api::{ApiState, Route};
use lambda_http::{Body, Request, Response, Service};
use serde_json::Value;
use tokio::runtime::Runtime;

use super::call_recorder::{CallRecorder, RecordedCall};
use super::{cpu, sdk_time};

/// The duration of a measurement of CPU time, within the minimum and maximum number of runs.
const MEASURED_TIME: Duration = Duration::from_millis(800);
const MIN_RUNS: usize = 15;
const MAX_RUNS: usize = 200;
/// The number of measured requests that go to the database.
const DATABASE_RUNS: usize = 3;

/// The cost of one request.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Cost {
    /// The read units of segments and index.
    pub(crate) fact_units: f64,
    /// The read units of the prompt list.
    pub(crate) prompt_units: f64,
    /// The read units of all other items.
    pub(crate) other_units: f64,
    /// The number of calls to the table.
    pub(crate) calls: usize,
    /// The number of calls that wait for one another.
    pub(crate) serial_calls: usize,
    /// The CPU time of the function's own work.
    pub(crate) own_cpu: Duration,
    /// The CPU time of the SDK and its HTTP.
    pub(crate) sdk_cpu: Duration,
    pub(crate) wall: Duration,
}

/// The costs of the first request of an instance and of a later one.
pub(crate) struct Costs {
    pub(crate) cold: Cost,
    pub(crate) warm: Cost,
}

/// Runs the functions on one thread and measures them.
pub(crate) struct EndpointMeter<'a> {
    runtime: &'a Runtime,
    recorder: CallRecorder,
    app: ApiState,
}

impl<'a> EndpointMeter<'a> {
    pub(crate) fn new(runtime: &'a Runtime, recorder: CallRecorder, app: ApiState) -> Self {
        Self {
            runtime,
            recorder,
            app,
        }
    }

    fn state(&self) -> AnalyticsState {
        let app = ApiState {
            known_keys: Arc::default(),
            ..self.app.clone()
        };
        AnalyticsState::new(app)
    }

    /// Returns the body of the response to an event.
    pub(crate) fn body(&self, event: &Value) -> Value {
        self.recorder.pass_through();
        let (response, _) = self.respond(&self.state(), event);
        match response.body() {
            Body::Text(text) => serde_json::from_str(text).expect("a JSON body"),
            _ => panic!("the body is not a text"),
        }
    }

    /// Measures the first request of an instance and a later one.
    pub(crate) fn costs(&self, event: &Value) -> Costs {
        let warm = self.state();
        self.recorder.pass_through();
        self.respond(&warm, event);
        Costs {
            cold: self.cost(event, || self.state()),
            warm: self.cost(event, || warm.clone()),
        }
    }

    fn cost(&self, event: &Value, state: impl Fn() -> AnalyticsState) -> Cost {
        self.recorder.record();
        self.respond(&state(), event);
        let recorded = self.recorder.calls();
        self.recorder.pass_through();
        let (mut cpu_times, mut wall_times) = (Vec::new(), Vec::new());
        for _ in 0..DATABASE_RUNS {
            let (state, start) = (state(), Instant::now());
            let (_, cpu) = self.respond(&state, event);
            cpu_times.push(cpu);
            wall_times.push(start.elapsed());
        }
        let own_cpu = self.own_cpu(event, state, &recorded);
        let calls: Vec<AwsCall> = recorded.iter().map(|r| r.call.clone()).collect();
        let units = |kind| {
            let of_kind = recorded.iter().filter(|r| call_kind(r) == kind);
            of_kind.fold(0.0, |sum, r| sum + r.units)
        };
        Cost {
            fact_units: units(CallKind::Facts),
            prompt_units: units(CallKind::Prompts),
            other_units: units(CallKind::Others),
            calls: calls.len(),
            serial_calls: serial_depth(&calls),
            own_cpu,
            sdk_cpu: cpu::median(cpu_times).saturating_sub(own_cpu),
            wall: cpu::median(wall_times),
        }
    }

    /// Returns the CPU time of a request whose calls are replayed from memory, without the CPU time of the
    /// SDK: the median of many runs.
    fn own_cpu(
        &self,
        event: &Value,
        state: impl Fn() -> AnalyticsState,
        recorded: &[RecordedCall],
    ) -> Duration {
        self.recorder.replay(recorded);
        let mut own_times = Vec::new();
        let start = Instant::now();
        while own_times.len() < MIN_RUNS || (own_times.len() < MAX_RUNS && start.elapsed() < MEASURED_TIME) {
            let state = state();
            sdk_time::take_measured();
            let (_, request_time) = self.respond(&state, event);
            own_times.push(request_time.saturating_sub(sdk_time::take_measured()));
        }
        cpu::median(own_times)
    }

    /// Returns the response to an event, with the CPU time that this thread used for it.
    fn respond(&self, state: &AnalyticsState, event: &Value) -> (Response<Body>, Duration) {
        let request = lambda_http::request::from_str(&event.to_string()).expect("an event");
        let path = event["rawPath"].as_str().unwrap_or_default();
        let is_prompt_list = path.strip_prefix(api::BASE_PATH) == Some("/entities/prompts");
        let (function, routes) = if is_prompt_list {
            ("prompts", prompts::ROUTES)
        } else {
            ("analytics", analytics::ROUTES)
        };
        let (response, cpu) = self
            .runtime
            .block_on(call(function, routes, state.clone(), request));
        assert_eq!(response.status().as_u16(), 200, "{:?}", response.body());
        (response, cpu)
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
    let response = service.call(request).await.expect("the service does not fail");
    (response, cpu::now() - before)
}

/// The items that a call concerns.
#[derive(PartialEq, Eq)]
enum CallKind {
    Facts,
    Prompts,
    Others,
    /// A write, which consumes no read units.
    Write,
}

fn call_kind(recorded: &RecordedCall) -> CallKind {
    let (call, request) = (&recorded.call, recorded.call.request.to_string());
    if call.operation == "UpdateItem" {
        CallKind::Write
    } else if ["#F\"", "#F#", "#M#"].iter().any(|part| request.contains(part)) {
        CallKind::Facts
    } else if request.contains("\"PROMPT#") {
        CallKind::Prompts
    } else {
        CallKind::Others
    }
}
