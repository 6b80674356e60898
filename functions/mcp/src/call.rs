//! Finds and calls the endpoint of a tool.

use api::{ApiError, Endpoint, EndpointCall, Route};
use store::Access;

use crate::arguments::ToolInput;
use crate::state::McpState;
use crate::tool::{Function, Tool};

impl McpState {
    /// Returns the JSON text of the endpoint's response.
    pub(crate) async fn call(
        &self,
        tool: &Tool,
        access: &Access,
        input: &ToolInput,
    ) -> Result<String, ApiError> {
        let call = EndpointCall {
            method: tool.method,
            path: tool.path,
            query: input.query.clone(),
            body: input.body.clone(),
        };
        let (analytics, entities) = (self.analytics.clone(), self.entities.clone());
        let api = entities.api.clone();
        match tool.function {
            Function::Actions => api::call(actions::ROUTES, api, access, call).await,
            Function::Analytics => api::call(analytics::ROUTES, analytics, access, call).await,
            Function::Entities => api::call(entities::ROUTES, entities, access, call).await,
            Function::Prompts => api::call(prompts::ROUTES, analytics, access, call).await,
            Function::Workspace => api::call(workspace::ROUTES, api, access, call).await,
        }
    }
}

impl Tool {
    /// Returns the endpoint that answers the tool.
    pub(crate) fn endpoint(&self) -> Option<&'static Endpoint> {
        fn of<S>(routes: &'static [Route<S>], tool: &Tool) -> Option<&'static Endpoint> {
            let mut endpoints = routes.iter().map(|route| &route.endpoint);
            endpoints.find(|endpoint| endpoint.method == tool.method && endpoint.path == tool.path)
        }
        match self.function {
            Function::Actions => of(actions::ROUTES, self),
            Function::Analytics => of(analytics::ROUTES, self),
            Function::Entities => of(entities::ROUTES, self),
            Function::Prompts => of(prompts::ROUTES, self),
            Function::Workspace => of(workspace::ROUTES, self),
        }
    }
}
