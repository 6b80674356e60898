//! An HTTP transport for tests on simulated time.

use std::sync::mpsc;

use aws_smithy_runtime_api::client::http::{HttpConnector, SharedHttpConnector};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_types::body::SdkBody;
use aws_smithy_types::byte_stream::ByteStream;
use tokio::runtime::Handle;

use crate::HttpInterceptor;

/// Sends each request on another runtime and blocks the calling thread until the response has arrived, so
/// that simulated time does not advance meanwhile.
#[derive(Debug, Clone)]
pub struct BlockingTransport {
    /// The runtime that sends the requests. Its time is real.
    pub runtime: Handle,
}

impl HttpInterceptor for BlockingTransport {
    async fn intercept(
        self,
        next: SharedHttpConnector,
        request: HttpRequest,
    ) -> Result<HttpResponse, ConnectorError> {
        let (sender, receiver) = mpsc::channel();
        self.runtime.spawn(async move {
            let _ = sender.send(send_and_read(next, request).await);
        });
        receiver.recv().expect("a response or an error")
    }
}

/// Sends a request and reads the whole response.
async fn send_and_read(
    next: SharedHttpConnector,
    request: HttpRequest,
) -> Result<HttpResponse, ConnectorError> {
    let mut response = next.call(request).await?;
    let body = ByteStream::new(response.take_body()).collect().await;
    let body = body.map_err(|e| ConnectorError::io(e.into()))?;
    *response.body_mut() = SdkBody::from(body.to_vec());
    Ok(response)
}
