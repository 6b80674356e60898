//! A client of the service that does as a good one does.

use std::time::Duration;

use reqwest::{Client, Method};
use uuid::Uuid;

use crate::{ApiContract, ApiResponse, World, mode};

const IDEMPOTENCY_KEY: &str = "idempotency-key";
/// How often a request is sent again while the service is unavailable, and after what wait: its own is for people.
const SENT_AGAIN: u32 = 40;
const SENT_AGAIN_AFTER: Duration = Duration::from_millis(20);

impl World {
    /// Sends what a test has put together itself. Under faults it does as a good client does: it sends again what
    /// was not answered for a moment, and a POST with a key, so that it acts once.
    pub async fn answer(request: reqwest::RequestBuilder) -> ApiResponse {
        let (client, request) = request.build_split();
        let mut request = request.expect("a request");
        if !mode::is_on() {
            return Self::once(&client, request).await;
        }
        if request.method() == Method::POST && !request.headers().contains_key(IDEMPOTENCY_KEY) {
            let key = Uuid::new_v4().to_string().parse().expect("a header's value");
            request.headers_mut().insert(IDEMPOTENCY_KEY, key);
        }
        for _ in 0..SENT_AGAIN {
            let same = request.try_clone().expect("a body in memory");
            let answer = Self::once(&client, same).await;
            if !answer.is_unavailable() {
                return answer;
            }
            mode::count_repeated();
            tokio::time::sleep(SENT_AGAIN_AFTER).await;
        }
        panic!("{} stays unavailable", request.url().path());
    }

    /// The answer must be one that the interface describes.
    async fn once(client: &Client, request: reqwest::Request) -> ApiResponse {
        let (method, path) = (request.method().clone(), request.url().path().to_owned());
        let response = client.execute(request).await.expect("the service answers");
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let text = response.text().await.expect("a body");
        let body = serde_json::from_str(&text).unwrap_or_else(|_| panic!("no JSON: {text:?}"));
        let answer = ApiResponse {
            status,
            headers,
            text,
            body,
        };
        answer.assert_retry();
        ApiContract::get().assert_conforms(&method, &path, &answer);
        answer
    }
}
