//! Calls the endpoint of a tool.

use api::{ApiError, EndpointCall};
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

/// Returns the columns of the tool's table. They are empty if its endpoint has no table.
pub(crate) fn columns(tool: &Tool) -> api::Columns {
    fn of<S>(routes: &[api::Route<S>], tool: &Tool) -> api::Columns {
        let mut routes = routes.iter();
        let route = routes.find(|route| route.method == tool.method && route.path == tool.path);
        route.map_or(&[], |route| route.columns)
    }
    match tool.function {
        Function::Actions => of(actions::ROUTES, tool),
        Function::Analytics => of(analytics::ROUTES, tool),
        Function::Entities => of(entities::ROUTES, tool),
        Function::Prompts => of(prompts::ROUTES, tool),
        Function::Workspace => of(workspace::ROUTES, tool),
    }
}
