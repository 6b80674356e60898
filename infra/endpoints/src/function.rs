//! A function that serves endpoints.

use std::collections::BTreeSet;
use std::convert::Infallible;

use api::Route;
use lambda_http::tower::util::BoxCloneSyncService;
use lambda_http::{Body, Request, Response};
use mcp::McpState;

use crate::dependencies::{Dependencies, FunctionState};
use crate::endpoint::Endpoint;

/// The service that a Lambda runs behind API Gateway.
pub type ApiService = BoxCloneSyncService<Request, Response<Body>, Infallible>;

/// A function behind the API's gateway.
pub struct ApiFunction {
    /// The name of the function's package and folder.
    pub name: &'static str,
    /// The endpoints of the API that it serves.
    pub endpoints: Vec<Endpoint>,
    /// A path that is no endpoint of the API.
    other_path: Option<&'static str>,
    new_service: Box<dyn Fn(&Dependencies) -> ApiService + Send + Sync>,
}

impl ApiFunction {
    pub(crate) fn new<S: FunctionState>(name: &'static str, routes: &'static [Route<S>]) -> Self {
        let endpoint = |route: &Route<S>| Endpoint {
            function: name,
            method: route.method,
            path: route.path,
            reach: route.reach,
            columns: route.columns,
        };
        Self {
            name,
            endpoints: routes.iter().map(endpoint).collect(),
            other_path: None,
            new_service: Box::new(move |dependencies| {
                BoxCloneSyncService::new(api::service(name, routes, S::new(dependencies)))
            }),
        }
    }

    /// The function of the Model Context Protocol.
    pub(crate) fn mcp() -> Self {
        Self {
            name: "mcp",
            endpoints: Vec::new(),
            other_path: Some(mcp::PATH),
            new_service: Box::new(|dependencies| {
                BoxCloneSyncService::new(mcp::service(McpState {
                    analytics: FunctionState::new(dependencies),
                    entities: FunctionState::new(dependencies),
                }))
            }),
        }
    }

    /// The distinct paths that the function serves. Those of endpoints have the version prefix.
    pub fn paths(&self) -> BTreeSet<String> {
        let endpoints = self.endpoints.iter().map(Endpoint::full_path);
        endpoints.chain(self.other_path.map(str::to_owned)).collect()
    }

    /// Constructs the service that answers requests for the endpoints.
    pub fn service(&self, dependencies: &Dependencies) -> ApiService {
        (self.new_service)(dependencies)
    }
}
