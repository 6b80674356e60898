//! A function that serves endpoints.

use std::collections::BTreeSet;
use std::convert::Infallible;

use api::{ApiState, Endpoint, Route};
use lambda_http::tower::util::BoxCloneSyncService;
use lambda_http::{Body, Request, Response};
use mcp::McpState;

use super::dependencies::Dependencies;

/// The service that a Lambda runs behind API Gateway.
pub type ApiService = BoxCloneSyncService<Request, Response<Body>, Infallible>;

/// A function behind the API's gateway.
pub struct ApiFunction {
    /// The name of the function's package and folder.
    pub name: &'static str,
    /// The endpoints of the API that it serves.
    pub endpoints: Vec<Endpoint>,
    /// The paths that are no endpoints of the API.
    other_paths: &'static [&'static str],
    new_service: Box<dyn Fn(&Dependencies) -> ApiService + Send + Sync>,
}

impl ApiFunction {
    pub(crate) fn new<S: AsRef<ApiState> + Clone + Send + Sync + 'static>(
        name: &'static str,
        routes: &'static [Route<S>],
        state: fn(&Dependencies) -> S,
    ) -> Self {
        Self {
            name,
            endpoints: routes.iter().map(|route| route.endpoint).collect(),
            other_paths: &[],
            new_service: Box::new(move |dependencies| {
                BoxCloneSyncService::new(api::service(name, routes, state(dependencies)))
            }),
        }
    }

    /// The function of the Model Context Protocol.
    pub(crate) fn mcp() -> Self {
        Self::without_endpoints("mcp", &[mcp::PATH], |dependencies| {
            BoxCloneSyncService::new(mcp::service(McpState {
                analytics: dependencies.analytics(),
                entities: dependencies.entities(),
            }))
        })
    }

    /// The function of the web console.
    pub(crate) fn console() -> Self {
        Self::without_endpoints("console", &console::PATHS, |dependencies| {
            BoxCloneSyncService::new(console::service(dependencies.api.clock.clone()))
        })
    }

    fn without_endpoints(
        name: &'static str,
        paths: &'static [&'static str],
        new_service: impl Fn(&Dependencies) -> ApiService + Send + Sync + 'static,
    ) -> Self {
        Self {
            name,
            endpoints: Vec::new(),
            other_paths: paths,
            new_service: Box::new(new_service),
        }
    }

    /// The distinct paths that the function serves, as API Gateway writes them: `{name+}` stands for any rest
    /// of a path. Those of endpoints have the version prefix.
    pub fn paths(&self) -> BTreeSet<String> {
        let endpoints = self.endpoints.iter().map(Endpoint::full_path);
        let other_paths = self.other_paths.iter().map(|path| (*path).to_owned());
        endpoints.chain(other_paths).collect()
    }

    /// Constructs the service that answers requests for the paths.
    pub fn service(&self, dependencies: &Dependencies) -> ApiService {
        (self.new_service)(dependencies)
    }
}
