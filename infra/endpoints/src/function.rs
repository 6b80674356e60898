//! A function that serves endpoints.

use std::collections::BTreeSet;
use std::convert::Infallible;

use api::Route;
use lambda_http::tower::util::BoxCloneSyncService;
use lambda_http::{Body, Request, Response};

use crate::dependencies::{Dependencies, FunctionState};
use crate::endpoint::Endpoint;

/// The service that a Lambda runs behind API Gateway.
pub type ApiService = BoxCloneSyncService<Request, Response<Body>, Infallible>;

/// A function that serves endpoints of the API.
pub struct ApiFunction {
    /// The name of the function's package and folder.
    pub name: &'static str,
    pub endpoints: Vec<Endpoint>,
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
            new_service: Box::new(move |dependencies| {
                BoxCloneSyncService::new(api::service(name, routes, S::new(dependencies)))
            }),
        }
    }

    /// The distinct paths of the endpoints, with the version prefix.
    pub fn paths(&self) -> BTreeSet<String> {
        self.endpoints.iter().map(Endpoint::full_path).collect()
    }

    /// Constructs the service that answers requests for the endpoints.
    pub fn service(&self, dependencies: &Dependencies) -> ApiService {
        (self.new_service)(dependencies)
    }
}
