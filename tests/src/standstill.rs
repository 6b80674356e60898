//! An HTTP client for simulated time: a call is sent from another runtime, and the thread waits for its response, so
//! that time stands still meanwhile, however long the machine takes.

use std::sync::mpsc;

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient,
    SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::body::SdkBody;
use aws_smithy_types::byte_stream::ByteStream;
use tokio::runtime::Handle;

#[derive(Debug, Clone)]
pub struct BlockingTransport {
    /// What sends.
    pub http: SharedHttpClient,
    /// Where it sends.
    pub runtime: Handle,
}

#[derive(Debug)]
struct Connector {
    inner: SharedHttpConnector,
    runtime: Handle,
}

impl HttpClient for BlockingTransport {
    fn http_connector(
        &self,
        settings: &HttpConnectorSettings,
        components: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(Connector {
            inner: self.http.http_connector(settings, components),
            runtime: self.runtime.clone(),
        })
    }
}

impl HttpConnector for Connector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let (inner, runtime) = (self.inner.clone(), self.runtime.clone());
        HttpConnectorFuture::new(async move {
            let (sender, receiver) = mpsc::channel();
            runtime.spawn(async move {
                let _ = sender.send(whole(inner, request).await);
            });
            receiver.recv().expect("an answer or an error")
        })
    }
}

/// Sends a request and reads its response to the end.
async fn whole(inner: SharedHttpConnector, request: HttpRequest) -> Result<HttpResponse, ConnectorError> {
    let mut response = inner.call(request).await?;
    let body = ByteStream::new(response.take_body()).collect().await;
    let body = body.map_err(|e| ConnectorError::io(e.into()))?;
    *response.body_mut() = SdkBody::from(body.to_vec());
    Ok(response)
}
