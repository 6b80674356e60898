//! An HTTP API of API Gateway in this process: every request becomes a payload 2.0 event for a function, and the
//! function's response becomes the answer. It knows paths and JSON, nothing of what the functions do.

mod answer;
mod decode;
mod event;
mod function;
mod serve;

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) mod wire;

use std::sync::Arc;

use futures::future::BoxFuture;
use serde_json::Value;

pub use function::{failed, lambda};
pub use serve::serve;
pub(crate) use serve::{router, serve_app};

/// A function behind the gateway: takes a payload 2.0 event, gives a payload 2.0 response.
pub type ApiHandler = Arc<dyn Fn(Value) -> BoxFuture<'static, Value> + Send + Sync>;
