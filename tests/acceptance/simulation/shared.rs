//! The state that all processes of a run share.

use std::fmt::Display;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use acceptance::{HttpInterceptor, SeededRng};
use aws_types::SdkConfig;
use domain::catalogue::Catalogue;
use domain::clock::Clock;
use tokio::sync::Notify;

use super::backend::Backend;
use super::clock::SimulatedClock;
use super::ledger::Ledger;
use super::network::SimulatedNetwork;
use super::process::PROVIDERS;
use super::queue::Queue;
use super::schedule::Schedule;
use crate::store::table::NOON;

pub(super) const TABLE: &str = "visibility";

/// The history of a run, line by line. It is shown if the run fails.
pub(super) type Trace = Arc<Mutex<Vec<String>>>;

/// The state that all processes of a run share.
pub(super) struct Shared {
    pub(super) schedule: Schedule,
    pub(super) clock: Arc<SimulatedClock>,
    pub(super) ledger: Mutex<Ledger>,
    pub(super) queue: Mutex<Queue>,
    /// Notified when an event is published.
    pub(super) published: Notify,
    /// The number of questions asked so far.
    pub(super) questions: AtomicU64,
    pub(super) catalogue: Arc<Catalogue>,
    pub(super) backend: Backend,
    trace: Trace,
    faults_have_ended: AtomicBool,
}

impl Shared {
    pub(super) fn new(seed: u64, backend: Backend, trace: Trace) -> Self {
        Self {
            schedule: Schedule::of(seed),
            clock: Arc::new(SimulatedClock::start()),
            ledger: Mutex::default(),
            queue: Mutex::default(),
            published: Notify::new(),
            questions: AtomicU64::new(0),
            catalogue: Arc::new(catalogue()),
            backend,
            trace,
            faults_have_ended: AtomicBool::new(false),
        }
    }

    /// Returns the connection to the table and the bus for a process that handles `invocation`.
    pub(super) fn aws(
        self: &Arc<Self>,
        invocation: &Arc<AtomicU64>,
        latency: Option<Arc<Mutex<SeededRng>>>,
    ) -> SdkConfig {
        let network = SimulatedNetwork {
            shared: self.clone(),
            invocation: invocation.clone(),
            latency,
        };
        network.wrap(&self.backend.aws)
    }

    pub(super) fn faults_have_ended(&self) -> bool {
        self.faults_have_ended.load(Ordering::Relaxed)
    }

    pub(super) fn end_faults(&self) {
        self.faults_have_ended.store(true, Ordering::Relaxed);
        self.queue.lock().unwrap().become_reliable();
    }

    /// Adds a line to the history of the run.
    pub(super) fn trace(&self, line: impl Display) {
        let seconds = (self.clock.now().as_millis() - NOON.as_millis()) / 1_000;
        self.trace.lock().unwrap().push(format!("{seconds:>7} s  {line}"));
    }

    /// Records a violated invariant.
    pub(super) fn record_violation(&self, what: String) {
        self.trace(&what);
        self.ledger.lock().unwrap().violations.push(what);
    }
}

/// Returns a catalogue of three models of two providers, which cost one, three and two credits.
fn catalogue() -> Catalogue {
    let model = |id: &str, provider: &str, credits: u32| {
        format!(
            r#"{{"id":"{id}","provider":"{provider}","model":"{id}","name":"{id}","description":"","credits":{credits}}}"#
        )
    };
    let [first, second] = PROVIDERS;
    let models = [
        model("small", first, 1),
        model("large", first, 3),
        model("else", second, 2),
    ];
    Catalogue::from_json(&format!("[{}]", models.join(","))).unwrap()
}
