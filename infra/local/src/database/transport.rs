//! Clients of the database in the same process. The AWS SDK writes and reads requests as always, and this
//! transport takes the place of the connection.

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::body::SdkBody;

use super::Database;
use super::operations::CONTENT_TYPE;

impl HttpClient for Database {
    fn http_connector(&self, _: &HttpConnectorSettings, _: &RuntimeComponents) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

impl HttpConnector for Database {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let database = self.clone();
        HttpConnectorFuture::new(async move {
            // Other tasks run between two calls of one task, as they do while a connection is waited for.
            tokio::task::yield_now().await;
            let target = request.headers().get("x-amz-target");
            // The SDK sends each operation of DynamoDB as one piece of JSON.
            let body = request.body().bytes().unwrap_or_default();
            let (status, body) = database.answer(target, body);
            let mut response = HttpResponse::new(status.into(), SdkBody::from(body));
            response.headers_mut().insert("content-type", CONTENT_TYPE);
            Ok(response)
        })
    }
}
