//! Whatever call of a request fails, and however: the answer is a success or 503 in time, the state is the
//! one before or the one after, and the same request sent again has its effect once. In simulated time, with
//! the time-outs and retries of a deployed function.

mod simulated_function;
mod state;

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::Duration;

use acceptance::{ApiResponse, Fault, World};
use aws_sdk_dynamodb::Client;
use aws_types::SdkConfig;
use local::Options;
use reqwest::Method;
use serde_json::Value;
use tokio::runtime::{Builder, Handle, Runtime};

use super::idempotency::recorded_answer;
use super::{Endpoint, Fixture, RequestInput, endpoints};
use simulated_function::{FailingCalls, SimulatedFunction};
use state::{Items, normalized};

/// A function is stopped after 29 seconds, so a response must come earlier.
const MAX_DURATION: Duration = Duration::from_secs(28);
/// The idempotency key of every POST.
const IDEMPOTENCY_KEY: &str = "once";
#[test]
fn one_call_that_fails_for_good_leaves_the_state_before_or_after_and_no_error_but_503() {
    test_every_endpoint(|test, endpoint, fixture| {
        test.attack(endpoint, fixture, &Fault::TRANSIENT, FailingCalls::Nth);
    });
}

#[test]
fn a_table_that_fails_from_some_call_on_leaves_the_state_before_or_after_and_no_error_but_503() {
    // The SDK tries again after each, soon or late, and what was done is done.
    let lasting = [Fault::Throttled, Fault::TimeoutBefore, Fault::TimeoutAfter];
    test_every_endpoint(|test, endpoint, fixture| {
        test.attack(endpoint, fixture, &lasting, FailingCalls::From);
    });
}

#[test]
fn a_table_that_is_out_is_503_in_time_at_every_endpoint_and_changes_nothing() {
    test_every_endpoint(|test, endpoint, fixture| {
        let before = test.items(fixture);
        let sent = (endpoint.request)(fixture);
        for fault in Fault::TRANSIENT.into_iter().filter(|fault| !fault.is_harmless()) {
            let (answer, _) = test.send(endpoint, fixture, &sent, Some((fault, FailingCalls::From(0))));
            assert!(
                answer.is_unavailable(),
                "{} {fault:?}: {}",
                endpoint.route,
                answer.body
            );
        }
        assert!(test.items(fixture) == before, "{}", endpoint.route);
    });
}

/// Tests all endpoints on two threads, each with its own workspace.
fn test_every_endpoint(attack: impl Fn(&OutageTest, &'static Endpoint, &Fixture) + Sync) {
    let test = OutageTest::start();
    let left = Mutex::new(endpoints().collect::<VecDeque<_>>());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let fixture = test.real.block_on(Fixture::new(&test.world));
                while let Some(endpoint) = { left.lock().unwrap().pop_front() } {
                    attack(&test, endpoint, &fixture);
                }
            });
        }
    });
}

/// A service without faults that prepares and inspects the state. Requests do not pass through its API.
struct OutageTest {
    world: World,
    db: Client,
    /// The configuration with which simulated functions send.
    aws: SdkConfig,
    real: Handle,
    _runtime: Runtime,
}

impl OutageTest {
    fn start() -> Self {
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        // No tick runs during the test.
        let options = Options {
            tick: Duration::from_secs(3_600),
            ..Options::default()
        };
        let world = runtime.block_on(World::with(options, |_| None));
        let aws = world.host.database.client_config();
        Self {
            world,
            db: Client::new(&aws),
            aws,
            real: runtime.handle().clone(),
            _runtime: runtime,
        }
    }

    fn items(&self, fixture: &Fixture) -> Items {
        self.real.block_on(state::items(&self.db, fixture))
    }

    fn restore(&self, fixture: &Fixture, items: &Items) {
        self.real.block_on(state::restore(&self.db, fixture, items));
    }

    /// Returns the state that clients see, normalized.
    fn seen(&self, fixture: &Fixture) -> Value {
        let state = self.real.block_on(fixture.state(&self.world));
        normalized(&Value::Array(state))
    }

    /// Sends a request to a simulated function in which calls can fail.
    fn send(
        &self,
        endpoint: &Endpoint,
        fixture: &Fixture,
        sent: &RequestInput,
        failing: Option<(Fault, FailingCalls)>,
    ) -> (ApiResponse, SimulatedFunction) {
        let function = SimulatedFunction::new(&self.world, &self.aws);
        let (answer, took) = function.send(endpoint, &fixture.account.key, sent, failing);
        let shown = format!("{} {failing:?}: {}", endpoint.route, answer.body);
        assert!(took <= MAX_DURATION, "{took:?} {shown}");
        answer.assert_retry();
        (answer, function)
    }

    /// Sends a request again and again, with one call after the other failing. Whenever it takes effect, what
    /// it did is undone, so that all begin with the same.
    fn attack(
        &self,
        endpoint: &'static Endpoint,
        fixture: &Fixture,
        faults: &[Fault],
        which: fn(usize) -> FailingCalls,
    ) {
        let (before, sent) = (self.items(fixture), (endpoint.request)(fixture));
        let (answer, function) = self.send(endpoint, fixture, &sent, None);
        let expected = (normalized(&answer.ok()), self.seen(fixture));
        self.restore(fixture, &before);
        let calls = function.operations();
        for fault in faults {
            for (nth, call) in calls
                .iter()
                .enumerate()
                .filter(|(_, call)| fault.for_operation(call) == *fault)
            {
                let shown = format!("{} {fault:?} {:?} {call}", endpoint.route, which(nth));
                let (answer, function) = self.send(endpoint, fixture, &sent, Some((*fault, which(nth))));
                if answer.status == 200 {
                    // If the table's reply to the write is lost, what is recorded is the answer.
                    let got = normalized(&answer.body);
                    let is_recorded = call == "TransactWriteItems" && got == recorded_answer(&expected.0);
                    assert!(is_recorded || got == expected.0, "{shown}: {got}");
                    assert_eq!(function.has_written(), !endpoint.is_read(), "{shown}");
                } else {
                    let may_fail = !fault.is_harmless() && call != "PutEvents";
                    assert!(answer.is_unavailable() && may_fail, "{shown}: {}", answer.body);
                }
                if function.has_written() {
                    assert_eq!(self.seen(fixture), expected.1, "{shown}");
                    self.repeat(endpoint, fixture, &sent, &expected, &shown);
                    self.restore(fixture, &before);
                }
            }
        }
        assert!(self.items(fixture) == before, "{}", endpoint.route);
    }

    /// Repeats a request that took effect and asserts that it has no further effect.
    fn repeat(
        &self,
        endpoint: &Endpoint,
        fixture: &Fixture,
        sent: &RequestInput,
        expected: &(Value, Value),
        shown: &str,
    ) {
        let (again, function) = self.send(endpoint, fixture, sent, None);
        match endpoint.method() {
            Method::POST => {
                assert_eq!(normalized(&again.ok()), recorded_answer(&expected.0), "{shown}");
                assert!(!function.has_written(), "{shown}");
            }
            Method::DELETE => assert_eq!(again.status, 404, "{shown}: {}", again.body),
            _ => {
                again.ok();
                assert_eq!(self.seen(fixture), expected.1, "{shown}");
            }
        }
    }
}
