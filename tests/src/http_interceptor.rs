//! Intercepts the AWS SDK's HTTP requests.

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

/// Intercepts each HTTP request of the AWS SDK, and forwards it or answers it itself. Clones share their
/// state.
pub trait HttpInterceptor: Clone + Debug + Send + Sync + 'static {
    /// Handles a request. `next` forwards it.
    fn intercept(
        self,
        next: SharedHttpConnector,
        request: HttpRequest,
    ) -> impl Future<Output = Result<HttpResponse, ConnectorError>> + Send + 'static;

    /// Returns the configuration with this interceptor in front of its HTTP client.
    ///
    /// # Panics
    ///
    /// If the configuration has no HTTP client.
    fn wrap(&self, aws: &SdkConfig) -> SdkConfig {
        let client = InterceptingClient {
            next: aws.http_client().expect("an HTTP client"),
            interceptor: self.clone(),
        };
        aws.to_builder().http_client(client).build()
    }
}

#[derive(Debug)]
struct InterceptingClient<I> {
    next: SharedHttpClient,
    interceptor: I,
}

#[derive(Debug)]
struct InterceptingConnector<I> {
    next: SharedHttpConnector,
    interceptor: I,
}

impl<I: HttpInterceptor> HttpClient for InterceptingClient<I> {
    fn http_connector(
        &self,
        settings: &HttpConnectorSettings,
        components: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(InterceptingConnector {
            next: self.next.http_connector(settings, components),
            interceptor: self.interceptor.clone(),
        })
    }
}

impl<I: HttpInterceptor> HttpConnector for InterceptingConnector<I> {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        HttpConnectorFuture::new(self.interceptor.clone().intercept(self.next.clone(), request))
    }
}
