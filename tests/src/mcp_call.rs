//! Requests of the Model Context Protocol, as their JSON texts.

use reqwest::header::{ACCEPT, HeaderMap};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use crate::{Account, World};

/// The service's response to a request of the protocol.
#[derive(Debug)]
pub struct McpReply {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Value,
}

impl McpReply {
    /// Sends a request. Panics if the response has another body than JSON.
    pub async fn to(request: RequestBuilder) -> Self {
        let response = request.send().await.expect("the service answers");
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let text = response.text().await.expect("a body");
        let body = serde_json::from_str(&text).unwrap_or_else(|_| panic!("no JSON: {text:?}"));
        Self {
            status,
            headers,
            body,
        }
    }
}

/// The result of a call of a tool.
#[derive(Debug)]
pub struct ToolResult {
    pub is_error: bool,
    pub text: String,
    /// The structured content, or null.
    pub content: Value,
}

impl World {
    /// Sends a request of the protocol with the account's key.
    pub async fn mcp(&self, account: &Account, method: &str, params: &Value) -> McpReply {
        let message = json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params});
        let request = self.mcp_request(Method::POST).bearer_auth(&account.key);
        let request = request.header(ACCEPT, "application/json, text/event-stream");
        McpReply::to(request.json(&message)).await
    }

    /// Returns a request to the protocol's path, without headers and body.
    pub fn mcp_request(&self, method: Method) -> RequestBuilder {
        let request = self.request(Method::POST, "").build().expect("a URL");
        let url = request.url().join(mcp::PATH).expect("a URL");
        reqwest::Client::new().request(method, url)
    }

    /// Calls a tool. Panics unless the call has a result, which may be an error of the tool.
    pub async fn call_tool(&self, account: &Account, tool: &str, arguments: &Value) -> ToolResult {
        let params = json!({"name": tool, "arguments": arguments});
        let reply = self.mcp(account, "tools/call", &params).await;
        assert_eq!(reply.status, 200, "{tool}: {}", reply.body);
        let result = &reply.body["result"];
        ToolResult {
            is_error: result["isError"] == true,
            text: result["content"][0]["text"]
                .as_str()
                .expect("a result has a text")
                .to_owned(),
            content: result["structuredContent"].clone(),
        }
    }
}
