//! A layer under the AWS SDK that sees every call and lets some of them go wrong.

mod call;
mod made_up;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient,
    SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_types::SdkConfig;
use aws_types::region::Region;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::Dice;
pub use call::{Call, depth};
use made_up::{leave_out, response, with_unread};

/// What happens to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// 400 `ProvisionedThroughputExceededException`; nothing happened.
    Throttled,
    /// 500 `InternalServerError`; nothing happened.
    ServerError,
    /// 400 `ValidationException`; nothing happened.
    Invalid,
    /// No connection; nothing was sent.
    Unreachable,
    /// The call took effect, and the connection broke before its response came.
    Lost,
    /// Of `TransactWriteItems`: cancelled by a conflict at the first action. Of `UpdateItem`: refused for a
    /// conflict with a transaction. Others are throttled.
    Conflict,
    /// Of `BatchGetItem`: every second key is left unread. Others are throttled.
    Unprocessed,
    /// The process dies before the request is sent: the call never ends, and [`Faults::crashed`] does.
    CrashBefore,
    /// The process dies after the call took effect.
    CrashAfter,
}

impl Fault {
    /// What a service must get over.
    pub const PASSING: [Self; 6] = [
        Self::Throttled,
        Self::ServerError,
        Self::Unreachable,
        Self::Lost,
        Self::Conflict,
        Self::Unprocessed,
    ];
}

type Script = dyn FnMut(&Call) -> Option<Fault> + Send;

struct Inner {
    script: Mutex<Box<Script>>,
    calls: Mutex<BTreeMap<usize, Call>>,
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
    /// The configuration with this layer around its HTTP client. Its waits between retries are short, and
    /// its retry quota is its own (a region has one), so that no test takes another's.
    pub fn around(&self, aws: &SdkConfig) -> SdkConfig {
        static REGIONS: AtomicUsize = AtomicUsize::new(0);
        let region = format!("test-{}", REGIONS.fetch_add(1, Ordering::Relaxed));
        let retries = aws
            .retry_config()
            .cloned()
            .unwrap_or_else(RetryConfig::standard)
            .with_initial_backoff(Duration::from_millis(2));
        let client = Layer {
            inner: aws.http_client().expect("an HTTP client"),
            faults: self.clone(),
        };
        aws.to_builder()
            .region(Region::new(region))
            .retry_config(retries)
            .http_client(client)
            .build()
    }

    /// From now on each call goes as `script` says.
    pub fn script(&self, script: impl FnMut(&Call) -> Option<Fault> + Send + 'static) {
        *self.0.script.lock().expect("no panic in a script") = Box::new(script);
    }

    /// From now on nothing goes wrong.
    pub fn none(&self) {
        self.script(|_| None);
    }

    /// From now on so many calls of a thousand meet one of `faults`, chosen by `seed`.
    pub fn random(&self, seed: u64, per_mille: u32, faults: &'static [Fault]) {
        let mut dice = Dice::new(seed);
        self.script(move |_| (dice.below(1_000) < per_mille).then(|| *dice.one_of(faults)));
    }

    /// The calls so far, in the order in which they started.
    pub fn calls(&self) -> Vec<Call> {
        self.lock().values().cloned().collect()
    }

    /// The calls so far, which are then forgotten.
    pub fn take(&self) -> Vec<Call> {
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
        let is_under_way = |call: &Call| call.ended.is_none() && call.fault != Some(Fault::CrashBefore);
        for _ in 0..5_000 {
            if !self.lock().values().any(is_under_way) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        panic!("calls are still under way");
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<usize, Call>> {
        self.0.calls.lock().expect("no panic while counting")
    }

    async fn send(
        self,
        inner: SharedHttpConnector,
        mut request: HttpRequest,
    ) -> Result<HttpResponse, ConnectorError> {
        let (place, call) = self.begin(&request);
        let is_batch = call.operation == "BatchGetItem";
        let is_transaction = call.operation == "TransactWriteItems";
        let is_update = call.operation == "UpdateItem";
        let unread = match call.fault {
            Some(Fault::ServerError) => return Ok(self.refuse(place, 500, "InternalServerError", None)),
            Some(Fault::Invalid) => return Ok(self.refuse(place, 400, "ValidationException", None)),
            Some(Fault::Conflict) if is_transaction => {
                let actions = call.request["TransactItems"].as_array().map_or(0, Vec::len);
                let reasons: Vec<Value> = (0..actions)
                    .map(|n| json!({"Code": if n == 0 { "TransactionConflict" } else { "None" }}))
                    .collect();
                return Ok(self.refuse(place, 400, "TransactionCanceledException", Some(&reasons)));
            }
            Some(Fault::Conflict) if is_update => {
                return Ok(self.refuse(place, 400, "TransactionConflictException", None));
            }
            Some(Fault::Unprocessed) if is_batch => Some(leave_out(&mut request, call.request)),
            Some(Fault::Throttled | Fault::Conflict | Fault::Unprocessed) => {
                return Ok(self.refuse(place, 400, "ProvisionedThroughputExceededException", None));
            }
            Some(Fault::Unreachable) => {
                self.end(place, None);
                return Err(ConnectorError::io("no connection".into()).never_connected());
            }
            Some(Fault::CrashBefore) => return self.crash().await,
            Some(Fault::Lost | Fault::CrashAfter) | None => None,
        };
        // What was sent arrives, though its caller may be dropped meanwhile.
        let (faults, sent) = (self.clone(), inner.call(request));
        let sent = tokio::spawn(async move {
            let response = sent.await;
            faults.end(place, response.as_ref().ok().map(|r| r.status().as_u16()));
            response
        });
        let response = sent.await.map_err(|e| ConnectorError::other(e.into(), None))??;
        match call.fault {
            Some(Fault::Lost) => Err(ConnectorError::io("the connection broke".into())),
            Some(Fault::CrashAfter) => self.crash().await,
            _ => match unread {
                Some(unread) => with_unread(response, &unread).await,
                None => Ok(response),
            },
        }
    }

    fn begin(&self, request: &HttpRequest) -> (usize, Call) {
        let target = request.headers().get("x-amz-target").unwrap_or_default();
        let mut call = Call {
            operation: target.rsplit('.').next().unwrap_or_default().to_owned(),
            request: serde_json::from_slice(request.body().bytes().unwrap_or_default()).unwrap_or_default(),
            started: Instant::now(),
            ended: None,
            fault: None,
            status: None,
        };
        let mut calls = self.lock();
        call.fault = (self.0.script.lock().expect("no panic in a script"))(&call);
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

    /// An error whose text quotes the request.
    fn refuse(&self, place: usize, status: u16, code: &str, reasons: Option<&[Value]>) -> HttpResponse {
        self.end(place, None);
        let said = self.lock().get(&place).map(|call| call.request.to_string());
        let mut body = json!({"__type": format!("com.amazonaws.dynamodb.v20120810#{code}"), "message": said});
        if let Some(reasons) = reasons {
            body["CancellationReasons"] = reasons.into();
        }
        response(status, &body)
    }

    /// The process dies here: this never ends, and [`Faults::crashed`] does.
    pub async fn crash<T>(&self) -> T {
        self.0.crashes.send_modify(|crashes| *crashes += 1);
        std::future::pending().await
    }
}

#[derive(Debug)]
struct Layer {
    inner: SharedHttpClient,
    faults: Faults,
}

#[derive(Debug)]
struct Connector {
    inner: SharedHttpConnector,
    faults: Faults,
}

impl HttpClient for Layer {
    fn http_connector(
        &self,
        settings: &HttpConnectorSettings,
        components: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(Connector {
            inner: self.inner.http_connector(settings, components),
            faults: self.faults.clone(),
        })
    }
}

impl HttpConnector for Connector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        HttpConnectorFuture::new(self.faults.clone().send(self.inner.clone(), request))
    }
}

impl fmt::Debug for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Faults")
    }
}
