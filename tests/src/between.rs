//! What stands between the AWS SDK and the network.

use std::fmt::Debug;
use std::future::Future;

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient,
    SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_types::SdkConfig;

/// Sees each of the SDK's requests, and sends it on, or does not. Clones are the same one.
pub trait HttpInterceptor: Clone + Debug + Send + Sync + 'static {
    fn send(
        self,
        next: SharedHttpConnector,
        request: HttpRequest,
    ) -> impl Future<Output = Result<HttpResponse, ConnectorError>> + Send + 'static;

    /// The configuration with this around its HTTP client, and otherwise as it is.
    fn layer(&self, aws: &SdkConfig) -> SdkConfig {
        let client = Client {
            next: aws.http_client().expect("an HTTP client"),
            between: self.clone(),
        };
        aws.to_builder().http_client(client).build()
    }
}

#[derive(Debug)]
struct Client<B> {
    next: SharedHttpClient,
    between: B,
}

#[derive(Debug)]
struct Connector<B> {
    next: SharedHttpConnector,
    between: B,
}

impl<B: HttpInterceptor> HttpClient for Client<B> {
    fn http_connector(
        &self,
        settings: &HttpConnectorSettings,
        components: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(Connector {
            next: self.next.http_connector(settings, components),
            between: self.between.clone(),
        })
    }
}

impl<B: HttpInterceptor> HttpConnector for Connector<B> {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        HttpConnectorFuture::new(self.between.clone().send(self.next.clone(), request))
    }
}
