//! An in-process AWS endpoint with a table that knows every key and is almost empty, and a bus that accepts
//! every event.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::body::SdkBody;
use serde_json::{Value, json};

/// The workspace of every key.
pub(crate) const WORKSPACE: &str = "Wk3nR8vYd1QsF6aB";

/// The endpoint, which all its clients share.
#[derive(Debug, Clone, Default)]
pub(crate) struct Table(Arc<Mutex<State>>);

#[derive(Debug, Default)]
pub(crate) struct State {
    /// The item that every `GetItem` call returns, as DynamoDB's JSON.
    pub(crate) item: Option<Value>,
    /// The operation and the request of each call.
    pub(crate) calls: Vec<(String, Value)>,
}

impl Table {
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answer(&self, request: &HttpRequest) -> (u16, Value) {
        let target = request.headers().get("x-amz-target").unwrap_or_default();
        let operation = target.rsplit('.').next().unwrap_or_default().to_owned();
        let body: Value =
            serde_json::from_slice(request.body().bytes().unwrap_or_default()).unwrap_or_default();
        let key = body
            .pointer("/Key/PK/S")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let is_key = key.starts_with("KEY#");
        let mut state = self.state();
        let answer = match operation.as_str() {
            "GetItem" => state
                .item
                .as_ref()
                .map_or_else(|| json!({}), |item| json!({"Item": item})),
            "Query" => json!({"Items": [], "Count": 0, "ScannedCount": 0}),
            "BatchGetItem" => json!({"Responses": {}, "UnprocessedKeys": {}}),
            "UpdateItem" if is_key => json!({"Attributes": {
                "keyId": {"S": "aaaaaaaaaaaaaaaa"}, "workspace": {"S": WORKSPACE}, "revoked": {"BOOL": false},
            }}),
            "UpdateItem" => json!({"Attributes": {}}),
            "PutEvents" => json!({"FailedEntryCount": 0, "Entries": []}),
            "TransactWriteItems" | "PutItem" | "DeleteItem" => json!({}),
            _ => {
                return (
                    400,
                    json!({"__type": "ValidationException", "message": "unknown here"}),
                );
            }
        };
        state.calls.push((operation, body));
        (200, answer)
    }
}

impl HttpClient for Table {
    fn http_connector(&self, _: &HttpConnectorSettings, _: &RuntimeComponents) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

impl HttpConnector for Table {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let (status, body) = self.answer(&request);
        let mut response = HttpResponse::new(
            status.try_into().expect("a status"),
            SdkBody::from(body.to_string()),
        );
        response
            .headers_mut()
            .insert("content-type", "application/x-amz-json-1.0");
        HttpConnectorFuture::ready(Ok(response))
    }
}
