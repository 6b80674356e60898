//! The simulated network below the AWS SDK: calls take simulated time, events go to the simulated queue, and
//! all other calls go to the embedded DynamoDB, for which the simulated time stands still.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use acceptance::{HttpInterceptor, SeededRng};
use aws_smithy_runtime_api::client::http::{HttpConnector, SharedHttpConnector};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_types::body::SdkBody;
use domain::clock::Clock;
use serde_json::Value;

use super::ledger::Call;
use super::shared::Shared;

/// One process's connection to the table and the bus. Clones share it.
#[derive(Clone)]
pub(super) struct SimulatedNetwork {
    pub(super) shared: Arc<Shared>,
    /// The invocation that the process handles.
    pub(super) invocation: Arc<AtomicU64>,
    /// Decides how long each call takes. `None` means that calls take no time.
    pub(super) latency: Option<Arc<Mutex<SeededRng>>>,
}

impl HttpInterceptor for SimulatedNetwork {
    async fn intercept(
        self,
        next: SharedHttpConnector,
        request: HttpRequest,
    ) -> Result<HttpResponse, ConnectorError> {
        let invocation = self.invocation.load(Ordering::Relaxed);
        let target = request.headers().get("x-amz-target").unwrap_or_default();
        let operation = target.rsplit('.').next().unwrap_or_default().to_owned();
        let sent: Value =
            serde_json::from_slice(request.body().bytes().unwrap_or_default()).unwrap_or_default();
        self.delay().await;
        let (status, body) = if operation == "PutEvents" {
            let response = self
                .shared
                .queue
                .lock()
                .unwrap()
                .publish(&sent, &self.shared.schedule);
            self.shared.published.notify_one();
            (200, response.to_string().into_bytes())
        } else {
            self.shared.backend.set_clock(self.shared.clock.now());
            let response = next.call(request).await?;
            let body = response.body().bytes().unwrap_or_default().to_vec();
            (response.status().as_u16(), body)
        };
        if status == 200 {
            let received = serde_json::from_slice(&body).unwrap_or_default();
            let latest = self.shared.clock.latest();
            let mut ledger = self.shared.ledger.lock().unwrap();
            let call = Call {
                operation: &operation,
                request: &sent,
                response: &received,
            };
            ledger.record_call(invocation, &call, latest);
        }
        self.delay().await;
        let mut response = HttpResponse::new(status.try_into().unwrap(), SdkBody::from(body));
        let headers = response.headers_mut();
        headers.insert("content-type", "application/x-amz-json-1.0");
        Ok(response)
    }
}

impl SimulatedNetwork {
    async fn delay(&self) {
        if let Some(latency) = &self.latency {
            let ms = {
                let mut rng = latency.lock().unwrap();
                let max = *rng.choose(&[2, 10, 10, 10, 50, 50, 400, 4_000]);
                rng.below(max)
            };
            tokio::time::sleep(Duration::from_millis(ms.into())).await;
        }
    }
}

impl fmt::Debug for SimulatedNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SimulatedNetwork")
    }
}
