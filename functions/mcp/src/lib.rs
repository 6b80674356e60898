//! The function of the Model Context Protocol (MCP): tools with which an assistant asks the service and works
//! on its task board.
//!
//! A tool is a question, and its answer is what an endpoint of the API returns: the same handlers, keys,
//! rates and limits. A call of a tool counts as one request.
#![forbid(unsafe_code)]

mod arguments;
mod call;
mod message;
mod result;
mod rpc_error;
mod server;
mod service;
mod state;
#[rustfmt::skip] // A line per argument.
mod texts;
mod tool;
mod tools;

pub use service::{PATH, service};
pub use state::McpState;
pub use tool::{Argument, TakenBy, TextOrigin, Tool};
pub use tools::TOOLS;
