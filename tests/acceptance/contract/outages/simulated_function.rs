//! Runs a function in simulated time, in which waits and calls take no real time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use acceptance::{ApiResponse, AwsCall, Fault, FaultInjector, HttpInterceptor, World, api_event};
use aws_smithy_runtime_api::client::http::{HttpConnector, SharedHttpConnector};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_types::body::SdkBody;
use aws_types::SdkConfig;
use aws_types::region::Region;
use events::Bus;
use local::functions;
use openapi::endpoints::Dependencies;
use reqwest::header::{HeaderMap, HeaderName};
use serde_json::{Value, json};
use store::{Store, connect};
use tokio::runtime::Builder;
use tokio::time::Instant;

use crate::contract::{Endpoint, RequestInput};

/// The calls of a request that fail, including their retries. Calls are counted from 0, and a retried call
/// counts once.
#[derive(Debug, Clone, Copy)]
pub(super) enum FailingCalls {
    Nth(usize),
    From(usize),
}

pub(super) struct SimulatedFunction {
    dependencies: Dependencies,
    faults: FaultInjector,
}

impl SimulatedFunction {
    /// Creates the function with its own clients, as after a cold start, which send with `aws`.
    pub(super) fn new(world: &World, aws: &SdkConfig) -> Self {
        let (faults, host) = (FaultInjector::default(), &world.host);
        let aws = faults.wrap(&QuietBus.wrap(&with_deployed_timeouts(aws)));
        let mut dependencies = host.dependencies.clone();
        dependencies.api.store = Store::new(&aws, &host.ready.table, host.clock.clone());
        dependencies.bus = Bus::new(&aws, "bus");
        Self { dependencies, faults }
    }

    /// Returns the response and the simulated duration.
    pub(super) fn send(
        &self,
        endpoint: &Endpoint,
        key: &str,
        sent: &RequestInput,
        failing: Option<(Fault, FailingCalls)>,
    ) -> (ApiResponse, Duration) {
        if let Some((fault, failing)) = failing {
            let mut seen = Vec::new();
            self.faults.script(move |call| {
                let index = call_index(&mut seen, call);
                let is_hit = match failing {
                    FailingCalls::Nth(nth) => index == nth,
                    FailingCalls::From(nth) => index >= nth,
                };
                is_hit.then_some(fault)
            });
        }
        let path = format!("{}{}", api::BASE_PATH, endpoint.path());
        let (key, query) = (format!("Bearer {key}"), sent.encoded());
        let headers = [
            ("authorization", key.as_str()),
            ("idempotency-key", super::IDEMPOTENCY_KEY),
        ];
        let query = query.trim_start_matches('?');
        let event = api_event(
            endpoint.method().as_str(),
            &path,
            query,
            &headers,
            sent.body.as_ref(),
        );
        let routes = functions::routes(&self.dependencies);
        let (_, handler) = routes.into_iter().find(|(known, _)| *known == path).unwrap();
        let runtime = Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        runtime.block_on(async {
            let begun = Instant::now();
            let response = handler(event).await;
            (answer(&response), begun.elapsed())
        })
    }

    /// Returns whether anything was written, except the key's rate window.
    pub(super) fn has_written(&self) -> bool {
        let calls = self.faults.calls();
        calls.iter().any(|call| {
            let key = call.request["Key"]["PK"]["S"].as_str().unwrap_or_default();
            let writes = match call.operation.as_str() {
                "UpdateItem" => !key.starts_with("KEY#"),
                "TransactWriteItems" | "PutItem" | "DeleteItem" => true,
                _ => false,
            };
            writes && call.took_effect()
        })
    }

    /// What was called, in the order in which [`FailingCalls`] counts.
    pub(super) fn operations(&self) -> Vec<String> {
        let mut seen = Vec::new();
        for call in self.faults.calls() {
            call_index(&mut seen, &call);
        }
        seen.into_iter().map(|(operation, _)| operation).collect()
    }
}

/// Accepts events and delivers none, so that no check runs.
#[derive(Debug, Clone)]
struct QuietBus;

impl HttpInterceptor for QuietBus {
    async fn intercept(
        self,
        next: SharedHttpConnector,
        request: HttpRequest,
    ) -> Result<HttpResponse, ConnectorError> {
        if request.headers().get("x-amz-target") != Some("AWSEvents.PutEvents") {
            return next.call(request).await;
        }
        let sent: Value = serde_json::from_slice(request.body().bytes().unwrap()).unwrap();
        let accepted = vec![json!({"EventId": "1"}); sent["Entries"].as_array().unwrap().len()];
        let body = json!({"FailedEntryCount": 0, "Entries": accepted}).to_string();
        let mut response = HttpResponse::new(200.try_into().unwrap(), SdkBody::from(body));
        let headers = response.headers_mut();
        headers.insert("content-type", "application/x-amz-json-1.1");
        Ok(response)
    }
}

/// The call's number. Where a key's minute begins, it is updated twice: that is one call.
fn call_index(seen: &mut Vec<(String, Value)>, call: &AwsCall) -> usize {
    let asked = match call.operation.as_str() {
        "UpdateItem" => &call.request["Key"],
        _ => &call.request,
    };
    let known = seen
        .iter()
        .position(|(operation, request)| (operation.as_str(), request) == (call.operation.as_str(), asked));
    known.unwrap_or_else(|| {
        seen.push((call.operation.clone(), asked.clone()));
        seen.len() - 1
    })
}

/// Returns a configuration with a deployed function's timeouts and its own retry quota.
fn with_deployed_timeouts(aws: &SdkConfig) -> SdkConfig {
    static REGIONS: AtomicUsize = AtomicUsize::new(0);
    let region = format!("desk-{}", REGIONS.fetch_add(1, Ordering::Relaxed));
    aws.to_builder()
        .region(Region::new(region))
        .timeout_config(connect::timeouts(1))
        .build()
}

fn answer(response: &Value) -> ApiResponse {
    let mut headers = HeaderMap::new();
    for (name, value) in response["headers"].as_object().into_iter().flatten() {
        let name: HeaderName = name.parse().unwrap();
        headers.insert(name, value.as_str().unwrap().parse().unwrap());
    }
    let text = response["body"].as_str().unwrap().to_owned();
    ApiResponse {
        status: u16::try_from(response["statusCode"].as_u64().unwrap()).unwrap(),
        headers,
        body: serde_json::from_str(&text).unwrap(),
        text,
    }
}
