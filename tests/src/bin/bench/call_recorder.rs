//! Records the AWS SDK's calls with their responses, and replays them from memory.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

use acceptance::{AwsCall, HttpInterceptor};
use aws_smithy_runtime_api::client::http::{HttpConnector, SharedHttpConnector};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::http::StatusCode;
use aws_smithy_types::body::SdkBody;
use aws_smithy_types::byte_stream::ByteStream;
use serde_json::Value;

/// A call with its response.
#[derive(Debug, Clone)]
pub(crate) struct Recorded {
    pub(crate) call: AwsCall,
    pub(crate) response: Vec<u8>,
    /// The capacity units that DynamoDB charges for the call.
    pub(crate) units: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Through,
    Record,
    Replay,
}

#[derive(Debug)]
struct Inner {
    mode: Mode,
    calls: Vec<Recorded>,
}

/// Records or replays calls. Clones share their state.
#[derive(Debug, Clone)]
pub(crate) struct CallRecorder(Arc<Mutex<Inner>>);

impl CallRecorder {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Mutex::new(Inner {
            mode: Mode::Through,
            calls: Vec::new(),
        })))
    }

    /// From now on, calls go to the database and are not recorded.
    pub(crate) fn through(&self) {
        self.lock().mode = Mode::Through;
    }

    /// From now on, calls go to the database and are recorded with their capacity units.
    pub(crate) fn record(&self) {
        let mut inner = self.lock();
        inner.mode = Mode::Record;
        inner.calls.clear();
    }

    /// From now on, these calls are answered from memory, and all other calls fail.
    pub(crate) fn replay(&self, calls: &[Recorded]) {
        let mut inner = self.lock();
        inner.mode = Mode::Replay;
        inner.calls = calls.to_vec();
    }

    pub(crate) fn calls(&self) -> Vec<Recorded> {
        self.lock().calls.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().expect("no panic while it is held")
    }

    async fn recorded(
        self,
        inner: SharedHttpConnector,
        mut request: HttpRequest,
    ) -> Result<HttpResponse, ConnectorError> {
        let started = Instant::now();
        let (operation, asked) = content(&request);
        let mut body = asked.clone();
        body["ReturnConsumedCapacity"] = "TOTAL".into();
        let body = body.to_string();
        let length = body.len().to_string();
        request.headers_mut().insert("content-length", length);
        *request.body_mut() = SdkBody::from(body);
        let mut response = inner.call(request).await?;
        let ended = Instant::now();
        let status = response.status().as_u16();
        let bytes = ByteStream::new(response.take_body())
            .collect()
            .await
            .map_err(|e| ConnectorError::io(e.into()))?
            .into_bytes()
            .to_vec();
        let answered: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        let call = AwsCall {
            operation,
            request: asked,
            started,
            ended: Some(ended),
            fault: None,
            status: Some(status),
        };
        self.lock().calls.push(Recorded {
            call,
            response: bytes.clone(),
            units: units(&answered["ConsumedCapacity"]),
        });
        *response.body_mut() = SdkBody::from(bytes);
        Ok(response)
    }

    fn replayed(&self, request: &HttpRequest) -> Result<HttpResponse, ConnectorError> {
        let (operation, asked) = content(request);
        let inner = self.lock();
        // A write contains the time and cannot be compared, but each request has only one.
        let is_same = |known: &&Recorded| {
            known.call.operation == operation && (operation == "UpdateItem" || known.call.request == asked)
        };
        let found = inner.calls.iter().find(is_same);
        let known = found.ok_or_else(|| ConnectorError::io("a call that was not recorded".into()))?;
        let status = StatusCode::try_from(known.call.status.unwrap_or(200)).expect("a status");
        let mut response = HttpResponse::new(status, SdkBody::from(known.response.clone()));
        response
            .headers_mut()
            .insert("content-type", "application/x-amz-json-1.0");
        Ok(response)
    }
}

impl HttpInterceptor for CallRecorder {
    async fn intercept(
        self,
        inner: SharedHttpConnector,
        request: HttpRequest,
    ) -> Result<HttpResponse, ConnectorError> {
        let mode = self.lock().mode;
        match mode {
            Mode::Through => inner.call(request).await,
            Mode::Record => self.recorded(inner, request).await,
            Mode::Replay => self.replayed(&request),
        }
    }
}

/// The operation and the body of a request.
fn content(request: &HttpRequest) -> (String, Value) {
    let target = request.headers().get("x-amz-target").unwrap_or_default();
    let operation = target.rsplit('.').next().unwrap_or_default().to_owned();
    let body = request.body().bytes().unwrap_or_default();
    (operation, serde_json::from_slice(body).unwrap_or_default())
}

/// The capacity units of one table, or the sum over a batch's tables.
fn units(consumed: &Value) -> f64 {
    match consumed {
        Value::Array(tables) => tables.iter().map(units).sum(),
        table => table["CapacityUnits"].as_f64().unwrap_or_default(),
    }
}
