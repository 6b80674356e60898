//! Clients of the database in the same process. The AWS SDK writes and reads requests as always, and this
//! transport takes the place of the connection.

use std::fmt;

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::body::SdkBody;
use dynoxide::Database;

use super::operations::{JSON, answer};

/// The transport to a database.
#[derive(Clone)]
pub(super) struct Transport(pub(super) Database);

impl fmt::Debug for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Transport")
    }
}

impl HttpClient for Transport {
    fn http_connector(&self, _: &HttpConnectorSettings, _: &RuntimeComponents) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

impl HttpConnector for Transport {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let Self(database) = self.clone();
        HttpConnectorFuture::new(async move {
            // Other tasks run between two calls of one task, as they do while a connection is waited for.
            tokio::task::yield_now().await;
            let target = request.headers().get("x-amz-target");
            // The SDK sends each operation of DynamoDB as one piece of JSON.
            let body = request.body().bytes().unwrap_or_default(); // None is streamed.
            let (status, body) = answer(&database, target, body);
            let mut response = HttpResponse::new(status.into(), SdkBody::from(body));
            response.headers_mut().insert("content-type", JSON);
            Ok(response)
        })
    }
}
