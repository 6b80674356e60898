//! Measures the read units, calls and instructions of a request to an endpoint.

use std::sync::Arc;

use acceptance::{AwsCall, serial_depth};
use analytics::AnalyticsState;
use api::ApiState;
use lambda_http::http::StatusCode;
use lambda_http::{Body, Response, Service};
use serde_json::Value;
use tokio::runtime::Runtime;

use super::call_recorder::{CallRecorder, RecordedCall};
use super::instructions;

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
    /// The instructions of the function and the SDK.
    pub(crate) instructions: u64,
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
        let response = self.respond(&self.state(), event);
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
            instructions: self.instructions(event, &state(), &recorded),
        }
    }

    /// Returns the instructions of a request whose calls are replayed from memory. They are 0 if it makes
    /// other calls than those, as an instance does that cannot keep all segments of the request.
    fn instructions(&self, event: &Value, state: &AnalyticsState, recorded: &[RecordedCall]) -> u64 {
        self.recorder.replay(recorded);
        let (response, counted) = instructions::count(|| self.call(state, event));
        if response.status() == StatusCode::OK {
            counted
        } else {
            0
        }
    }

    /// Returns the response to an event, which is 200.
    fn respond(&self, state: &AnalyticsState, event: &Value) -> Response<Body> {
        let response = self.call(state, event);
        assert_eq!(response.status(), StatusCode::OK, "{:?}", response.body());
        response
    }

    fn call(&self, state: &AnalyticsState, event: &Value) -> Response<Body> {
        let request = lambda_http::request::from_str(&event.to_string()).expect("an event");
        let path = event["rawPath"].as_str().unwrap_or_default();
        let is_prompt_list = path.strip_prefix(api::BASE_PATH) == Some("/entities/prompts");
        let (function, routes) = if is_prompt_list {
            ("prompts", prompts::ROUTES)
        } else {
            ("analytics", analytics::ROUTES)
        };
        let mut service = api::service(function, routes, state.clone());
        let response = self.runtime.block_on(service.call(request));
        response.expect("the service does not fail")
    }
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
