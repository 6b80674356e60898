//! Answers the requests of the protocol.

use std::sync::{Arc, OnceLock};

use api::ApiError;
use lambda_http::http::StatusCode;
use lambda_http::http::request::Parts;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CustomRequest, CustomResult, ErrorCode,
    ErrorData, Implementation, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde_json::Value;
use store::Access;
use tracing::{Instrument, Span};

use crate::arguments::ToolInput;
use crate::result::{described_key, refusal, result};
use crate::state::McpState;
use crate::tool::Tool;
use crate::tools::TOOLS;

const INSTRUCTIONS: &str = "\
Tells how language models mention and cite a brand, from the answers that this service records. Begin with list_entities. \
A rate comes with the number of responses (n) and the ends of its 95 % interval: state them, and do not read a change into overlapping \
intervals; compare decides whether a figure has changed. Days are UTC days. Each result names the API request that gives the same figures. \
A list has 20 rows unless limit says otherwise, and nextOffset if there are more.";

/// The methods of requests that the server answers.
const METHODS: [&str; 5] = [
    "initialize",
    "ping",
    "server/discover",
    "tools/call",
    "tools/list",
];

/// The server of one request.
pub(crate) struct McpServer {
    pub(crate) state: McpState,
}

/// The client of a request, which [`service`](crate::service) has authenticated.
#[derive(Clone)]
pub(crate) struct Client {
    pub(crate) access: Access,
    /// The span of the request, which the protocol's tasks leave.
    pub(crate) span: Span,
    /// The status of the endpoint behind the called tool, if the call fails.
    pub(crate) tool_error: Arc<OnceLock<StatusCode>>,
}

impl Client {
    /// Logs and counts a failed call, and returns its result, which the assistant reads.
    fn refusal(&self, error: &ApiError) -> CallToolResult {
        self.span.in_scope(|| error.log_cause());
        // One request calls one tool.
        let _ = self.tool_error.set(error.status());
        refusal(error)
    }
}

fn client_of(context: &RequestContext<RoleServer>) -> Result<&Client, ErrorData> {
    let parts = context.extensions.get::<Parts>();
    let client = parts.and_then(|parts| parts.extensions.get::<Client>());
    client.ok_or_else(|| ErrorData::internal_error("the request is not authenticated", None))
}

impl ServerHandler for McpServer {
    fn get_info(&self) -> ServerConfig {
        let server = Implementation::new("visibility-tracking-service", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(server.with_title("Visibility Tracking Service"))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let scope = &client_of(&context)?.access.scope;
        let usable = TOOLS.iter().filter(|tool| scope.may_write() || !tool.writes());
        Ok(ListToolsResult::with_all_items(
            usable.map(Tool::described).collect(),
        ))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let client = client_of(&context)?;
        let Some(tool) = TOOLS.iter().find(|tool| tool.name == request.name) else {
            let names: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
            let message = format!(
                "There is no tool {}. The tools are {}",
                request.name,
                names.join(", ")
            );
            return Err(ErrorData::invalid_params(message, None));
        };
        let arguments = request.arguments.into_iter().flatten().collect();
        let called = match ToolInput::new(tool, arguments) {
            Ok(input) => {
                let run = self.run(tool, &client.access, input);
                run.instrument(client.span.clone()).await
            }
            Err(error) => Err(error),
        };
        Ok(called.unwrap_or_else(|error| client.refusal(&error)).into())
    }

    /// Refuses a request that the library does not know: one of another method, or one whose `params` do not
    /// fit its method.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if !METHODS.contains(&request.method.as_str()) {
            return Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, request.method, None));
        }
        let params = request.params.unwrap_or(Value::Null);
        let rule = match request.method.as_str() {
            "tools/call" if !params["name"].is_string() => "params.name must be a string",
            "tools/call" if !matches!(params["arguments"], Value::Object(_) | Value::Null) => {
                "params.arguments must be a JSON object"
            }
            _ => "params do not fit the method",
        };
        Err(ErrorData::invalid_params(rule, None))
    }
}

impl McpServer {
    async fn run(&self, tool: &Tool, access: &Access, input: ToolInput) -> Result<CallToolResult, ApiError> {
        // A key that is bound to entities may not read the workspace, and still knows what it is.
        if tool.name == "whoami" && access.scope.is_bound() {
            return described_key(tool, &access.scope, None);
        }
        let json = self.state.call(tool, access, &input).await?;
        if tool.name == "whoami" {
            let response: Value = serde_json::from_str(&json).map_err(ApiError::internal)?;
            return described_key(tool, &access.scope, response.get("data"));
        }
        result(tool, &input, &json)
    }
}
