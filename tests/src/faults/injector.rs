//! Decides which calls fail, and records all calls.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use aws_sdk_dynamodb::config::SharedAsyncSleep;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_types::SdkConfig;
use aws_types::region::Region;
use tokio::sync::watch;

use super::aws_call::AwsCall;
use super::fault::Fault;
use super::timer::Timer;
use crate::{HttpInterceptor, SeededRng};

type Script = dyn FnMut(&AwsCall) -> Option<Fault> + Send;

struct Inner {
    script: Mutex<Box<Script>>,
    /// The calls by number, in the order in which they started.
    calls: Mutex<BTreeMap<usize, AwsCall>>,
    started: AtomicUsize,
    crashes: watch::Sender<usize>,
}

/// Makes calls of the AWS SDK fail by a script, and records all calls. Clones share their state.
#[derive(Clone)]
pub struct FaultInjector(Arc<Inner>);

impl Default for FaultInjector {
    /// Creates an injector without faults.
    fn default() -> Self {
        Self(Arc::new(Inner {
            script: Mutex::new(Box::new(|_| None)),
            calls: Mutex::default(),
            started: AtomicUsize::new(0),
            crashes: watch::Sender::new(0),
        }))
    }
}

impl FaultInjector {
    /// Returns the configuration with this injector in front of its HTTP client. Backoffs are short, attempts
    /// that time out do so at once, and the configuration has a region of its own, because the SDK shares a
    /// retry quota within a region and tests must not use up one another's.
    pub fn inject_into(&self, aws: &SdkConfig) -> SdkConfig {
        static REGIONS: AtomicUsize = AtomicUsize::new(0);
        let region = format!("test-{}", REGIONS.fetch_add(1, Ordering::Relaxed));
        let retries = aws
            .retry_config()
            .cloned()
            .unwrap_or_else(RetryConfig::standard)
            .with_initial_backoff(Duration::from_millis(2));
        self.wrap(aws)
            .to_builder()
            .region(Region::new(region))
            .retry_config(retries)
            .sleep_impl(SharedAsyncSleep::new(Timer))
            .build()
    }

    /// Makes `script` decide the fault of each later call.
    pub fn script(&self, script: impl FnMut(&AwsCall) -> Option<Fault> + Send + 'static) {
        *self.0.script.lock().expect("no panic in a script") = Box::new(script);
    }

    /// Stops injecting faults.
    pub fn none(&self) {
        self.script(|_| None);
    }

    /// Injects random faults: `per_mille` of 1,000 later calls get one of the `faults` that apply to their
    /// operation. `seed` decides which calls and faults.
    pub fn random(&self, seed: u64, per_mille: u32, faults: &'static [Fault]) {
        let mut rng = SeededRng::new(seed);
        self.script(move |call| {
            let applicable = faults
                .iter()
                .filter(|fault| fault.for_operation(&call.operation) == **fault);
            (rng.below(1_000) < per_mille).then(|| **rng.choose(&applicable.collect::<Vec<_>>()))
        });
    }

    /// Returns the calls so far, in the order in which they started.
    pub fn calls(&self) -> Vec<AwsCall> {
        self.lock().values().cloned().collect()
    }

    /// Removes and returns the calls so far, in the order in which they started.
    pub fn take(&self) -> Vec<AwsCall> {
        std::mem::take(&mut *self.lock()).into_values().collect()
    }

    /// Completes at the next crash from now on.
    pub fn crashed(&self) -> impl Future<Output = ()> + use<> {
        let mut crashes = self.0.crashes.subscribe();
        async move {
            let _ = crashes.changed().await;
        }
    }

    /// Waits until every call that was sent has a response, for at most 10 seconds.
    pub async fn wait_for_responses(&self) {
        let is_under_way = |call: &AwsCall| call.ended.is_none() && call.fault != Some(Fault::CrashBefore);
        for _ in 0..5_000 {
            if !self.lock().values().any(is_under_way) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        panic!("calls are still under way");
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<usize, AwsCall>> {
        self.0.calls.lock().expect("no panic while counting")
    }

    /// Records the start of a call and chooses its fault. Returns the call with its number.
    pub(super) fn begin(&self, request: &HttpRequest) -> (usize, AwsCall) {
        let target = request.headers().get("x-amz-target").unwrap_or_default();
        let mut call = AwsCall {
            operation: target.rsplit('.').next().unwrap_or_default().to_owned(),
            request: serde_json::from_slice(request.body().bytes().unwrap_or_default()).unwrap_or_default(),
            started: Instant::now(),
            ended: None,
            fault: None,
            status: None,
        };
        let mut calls = self.lock();
        let fault = (self.0.script.lock().expect("no panic in a script"))(&call);
        call.fault = fault.map(|fault| fault.for_operation(&call.operation));
        call.fault.iter().for_each(|fault| fault.count());
        let number = self.0.started.fetch_add(1, Ordering::Relaxed);
        calls.insert(number, call.clone());
        (number, call)
    }

    /// Records the end of a call, with the endpoint's HTTP status if there was a response.
    pub(super) fn end(&self, number: usize, status: Option<u16>) {
        if let Some(call) = self.lock().get_mut(&number) {
            call.ended = Some(Instant::now());
            call.status = status;
        }
    }

    /// Simulates the death of the process: this future never completes, and [`FaultInjector::crashed`] does.
    pub async fn crash<T>(&self) -> T {
        self.0.crashes.send_modify(|crashes| *crashes += 1);
        std::future::pending().await
    }
}
