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

use super::instructions::uncounted;

/// A recorded call with its response.
#[derive(Debug, Clone)]
pub(crate) struct RecordedCall {
    pub(crate) call: AwsCall,
    pub(crate) response: Vec<u8>,
    /// The capacity units that DynamoDB charges for the call.
    pub(crate) units: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Calls go to the database and are not recorded.
    PassThrough,
    /// Calls go to the database and are recorded.
    Record,
    /// Calls are answered from memory.
    Replay,
}

#[derive(Debug)]
struct Inner {
    mode: Mode,
    calls: Vec<RecordedCall>,
}

/// Records or replays calls. Clones share their state.
#[derive(Debug, Clone)]
pub(crate) struct CallRecorder(Arc<Mutex<Inner>>);

impl CallRecorder {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Mutex::new(Inner {
            mode: Mode::PassThrough,
            calls: Vec::new(),
        })))
    }

    /// Makes calls go to the database without being recorded.
    pub(crate) fn pass_through(&self) {
        self.lock().mode = Mode::PassThrough;
    }

    /// Makes calls go to the database and records them with their capacity units.
    pub(crate) fn record(&self) {
        let mut inner = self.lock();
        inner.mode = Mode::Record;
        inner.calls.clear();
    }

    /// Answers these calls from memory, and makes all other calls fail.
    pub(crate) fn replay(&self, calls: &[RecordedCall]) {
        let mut inner = self.lock();
        inner.mode = Mode::Replay;
        inner.calls = calls.to_vec();
    }

    pub(crate) fn calls(&self) -> Vec<RecordedCall> {
        self.lock().calls.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().expect("no panic while it is held")
    }

    async fn call_and_record(
        self,
        inner: SharedHttpConnector,
        mut request: HttpRequest,
    ) -> Result<HttpResponse, ConnectorError> {
        let started = Instant::now();
        let (operation, original_body) = operation_and_body(&request);
        let mut body = original_body.clone();
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
        let response_body: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        let call = AwsCall {
            operation,
            request: original_body,
            started,
            ended: Some(ended),
            fault: None,
            status: Some(status),
        };
        self.lock().calls.push(RecordedCall {
            call,
            response: bytes.clone(),
            units: capacity_units(&response_body["ConsumedCapacity"]),
        });
        *response.body_mut() = SdkBody::from(bytes);
        Ok(response)
    }

    fn recorded_response(&self, request: &HttpRequest) -> Result<HttpResponse, ConnectorError> {
        let (operation, body) = operation_and_body(request);
        let inner = self.lock();
        // A write contains the time and cannot be compared, but each request has only one.
        let is_same = |known: &&RecordedCall| {
            known.call.operation == operation && (operation == "UpdateItem" || known.call.request == body)
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
            Mode::PassThrough => inner.call(request).await,
            Mode::Record => self.call_and_record(inner, request).await,
            Mode::Replay => uncounted(|| self.recorded_response(&request)),
        }
    }
}

/// Returns the operation and the body of a request.
fn operation_and_body(request: &HttpRequest) -> (String, Value) {
    let target = request.headers().get("x-amz-target").unwrap_or_default();
    let operation = target.rsplit('.').next().unwrap_or_default().to_owned();
    let body = request.body().bytes().unwrap_or_default();
    (operation, serde_json::from_slice(body).unwrap_or_default())
}

/// Returns the capacity units of a call: those of one table, or the sum over all tables of a batch.
fn capacity_units(consumed: &Value) -> f64 {
    match consumed {
        Value::Array(tables) => tables.iter().map(capacity_units).sum(),
        table => table["CapacityUnits"].as_f64().unwrap_or_default(),
    }
}
