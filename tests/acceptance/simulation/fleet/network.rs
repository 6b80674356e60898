//! The network of a fleet: the bus, whose two queues pass messages on at once, and the table.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex};

use acceptance::HttpInterceptor;
use aws_smithy_runtime_api::client::http::{HttpConnector, SharedHttpConnector};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_types::body::SdkBody;
use domain::clock::Clock;
use events::CheckEvent;
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::simulation::backend::Backend;
use crate::simulation::clock::SimulatedClock;

/// The queues, with the bodies of their messages.
#[derive(Default)]
pub(super) struct Queues {
    pub(super) shards: VecDeque<String>,
    pub(super) steps: VecDeque<String>,
    pub(super) published: usize,
}

/// The bus and the table of a fleet.
#[derive(Clone)]
pub(super) struct FleetNetwork {
    pub(super) queues: Arc<Mutex<Queues>>,
    pub(super) published: Arc<Notify>,
    pub(super) backend: Arc<Backend>,
    pub(super) clock: Arc<SimulatedClock>,
}

impl fmt::Debug for FleetNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FleetNetwork")
    }
}

impl HttpInterceptor for FleetNetwork {
    async fn intercept(
        self,
        next: SharedHttpConnector,
        request: HttpRequest,
    ) -> Result<HttpResponse, ConnectorError> {
        let target = request.headers().get("x-amz-target").unwrap_or_default();
        if !target.ends_with("PutEvents") {
            self.backend.set_clock(self.clock.now());
            return next.call(request).await;
        }
        let sent: Value = serde_json::from_slice(request.body().bytes().unwrap()).unwrap();
        let entries = sent["Entries"].as_array().unwrap();
        for entry in entries {
            self.publish(entry);
        }
        self.published.notify_one();
        let results: Vec<Value> = entries.iter().map(|_| json!({"EventId": "e"})).collect();
        let body = json!({"FailedEntryCount": 0, "Entries": results}).to_string();
        Ok(HttpResponse::new(200.try_into().unwrap(), SdkBody::from(body)))
    }
}

impl FleetNetwork {
    fn publish(&self, entry: &Value) {
        let detail: Value = serde_json::from_str(entry["Detail"].as_str().unwrap()).unwrap();
        let kind = &entry["DetailType"];
        let body = json!({"source": entry["Source"], "detail-type": kind, "detail": detail}).to_string();
        let mut queues = self.queues.lock().unwrap();
        queues.published += 1;
        match CheckEvent::from_envelope(&body).unwrap() {
            CheckEvent::ShardReady(..) => queues.shards.push_back(body),
            _ => queues.steps.push_back(body),
        }
    }
}
