//! Sends requests, with retries and idempotency keys under random faults.

use std::time::Duration;

use reqwest::header::CONTENT_TYPE;
use reqwest::{Client, Method};
use serde_json::Value;
use uuid::Uuid;

use crate::{ApiContract, ApiResponse, World, fault_mode};

const IDEMPOTENCY_KEY: &str = "idempotency-key";
/// The maximum number of retries of a request while the service is unavailable.
const RETRIES: u32 = 40;
/// The delay before a retry. The service's own `Retry-After` is too long for tests.
const RETRY_DELAY: Duration = Duration::from_millis(20);

impl World {
    /// Sends a request. Under random faults, it retries while the service is unavailable, and gives each POST
    /// an idempotency key, so that its retries take effect once.
    pub async fn execute(request: reqwest::RequestBuilder) -> ApiResponse {
        let (client, request) = request.build_split();
        let mut request = request.expect("a request");
        if !fault_mode::is_on() {
            return Self::execute_once(&client, request).await;
        }
        if request.method() == Method::POST && !request.headers().contains_key(IDEMPOTENCY_KEY) {
            let key = Uuid::new_v4().to_string().parse().expect("a header's value");
            request.headers_mut().insert(IDEMPOTENCY_KEY, key);
        }
        for _ in 0..RETRIES {
            let copy = request.try_clone().expect("a body in memory");
            let response = Self::execute_once(&client, copy).await;
            if !response.is_unavailable() {
                return response;
            }
            fault_mode::count_retry();
            tokio::time::sleep(RETRY_DELAY).await;
        }
        panic!("{} stays unavailable", request.url().path());
    }

    /// Sends a request once, and checks the response against the OpenAPI document.
    async fn execute_once(client: &Client, request: reqwest::Request) -> ApiResponse {
        let (method, path) = (request.method().clone(), request.url().path().to_owned());
        let response = client.execute(request).await.expect("the service answers");
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let text = response.text().await.expect("a body");
        let is_table = headers
            .get(CONTENT_TYPE)
            .is_some_and(|media| media.as_bytes().starts_with(b"text/csv"));
        let body = if is_table {
            Value::String(text.clone())
        } else {
            serde_json::from_str(&text).unwrap_or_else(|_| panic!("no JSON: {text:?}"))
        };
        let response = ApiResponse {
            status,
            headers,
            text,
            body,
        };
        response.assert_retry();
        ApiContract::get().assert_conforms(&method, &path, &response);
        response
    }
}
