//! A layer under the AWS SDK that sees every call and lets some of them go wrong.

mod call;
mod fault;
mod layer;
mod made_up;
mod pages;
mod timer;

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

use crate::{HttpInterceptor, SeededRng};
pub use call::{AwsCall, depth};
pub use fault::Fault;
use timer::Timer;

type Script = dyn FnMut(&AwsCall) -> Option<Fault> + Send;

struct Inner {
    script: Mutex<Box<Script>>,
    calls: Mutex<BTreeMap<usize, AwsCall>>,
    started: AtomicUsize,
    crashes: watch::Sender<usize>,
}

/// The layer; clones are the same one.
#[derive(Clone)]
pub struct Faults(Arc<Inner>);

impl Default for Faults {
    fn default() -> Self {
        Self(Arc::new(Inner {
            script: Mutex::new(Box::new(|_| None)),
            calls: Mutex::default(),
            started: AtomicUsize::new(0),
            crashes: watch::Sender::new(0),
        }))
    }
}

impl Faults {
    /// The configuration with this layer around its HTTP client. Its waits between retries are short, attempts
    /// that are to time out do so at once, and its retry quota is its own (a region has one), so that no test takes
    /// another's.
    pub fn inject_into(&self, aws: &SdkConfig) -> SdkConfig {
        static REGIONS: AtomicUsize = AtomicUsize::new(0);
        let region = format!("test-{}", REGIONS.fetch_add(1, Ordering::Relaxed));
        let retries = aws
            .retry_config()
            .cloned()
            .unwrap_or_else(RetryConfig::standard)
            .with_initial_backoff(Duration::from_millis(2));
        self.layer(aws)
            .to_builder()
            .region(Region::new(region))
            .retry_config(retries)
            .sleep_impl(SharedAsyncSleep::new(Timer))
            .build()
    }

    /// From now on each call goes as `script` says.
    pub fn script(&self, script: impl FnMut(&AwsCall) -> Option<Fault> + Send + 'static) {
        *self.0.script.lock().expect("no panic in a script") = Box::new(script);
    }

    /// From now on nothing goes wrong.
    pub fn none(&self) {
        self.script(|_| None);
    }

    /// From now on so many calls of a thousand meet one of `faults` that their operation knows, chosen by `seed`.
    pub fn random(&self, seed: u64, per_mille: u32, faults: &'static [Fault]) {
        let mut dice = SeededRng::new(seed);
        self.script(move |call| {
            let known = faults.iter().filter(|fault| fault.of(&call.operation) == **fault);
            (dice.below(1_000) < per_mille).then(|| **dice.choose(&known.collect::<Vec<_>>()))
        });
    }

    /// The calls so far, in the order in which they started.
    pub fn calls(&self) -> Vec<AwsCall> {
        self.lock().values().cloned().collect()
    }

    /// The calls so far, which are then forgotten.
    pub fn take(&self) -> Vec<AwsCall> {
        std::mem::take(&mut *self.lock()).into_values().collect()
    }

    /// Ends at the next crash from now on.
    pub fn crashed(&self) -> impl Future<Output = ()> + use<> {
        let mut crashes = self.0.crashes.subscribe();
        async move {
            let _ = crashes.changed().await;
        }
    }

    /// Waits until every call that was sent has arrived, at most 10 seconds.
    pub async fn settled(&self) {
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

    fn begin(&self, request: &HttpRequest) -> (usize, AwsCall) {
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
        call.fault = fault.map(|fault| fault.of(&call.operation));
        call.fault.iter().for_each(|fault| fault.count());
        let place = self.0.started.fetch_add(1, Ordering::Relaxed);
        calls.insert(place, call.clone());
        (place, call)
    }

    fn end(&self, place: usize, status: Option<u16>) {
        if let Some(call) = self.lock().get_mut(&place) {
            call.ended = Some(Instant::now());
            call.status = status;
        }
    }

    /// The process dies here: this never ends, and [`Faults::crashed`] does.
    pub async fn crash<T>(&self) -> T {
        self.0.crashes.send_modify(|crashes| *crashes += 1);
        std::future::pending().await
    }
}
