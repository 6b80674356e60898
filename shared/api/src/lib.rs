//! The inbound kit: routes, authentication and rates, parsed input, the envelope, and the one place where
//! errors become HTTP.
#![forbid(unsafe_code)]

mod app;
mod body;
mod call;
mod cors;
mod dispatch;
mod error;
mod event;
mod lambda;
mod log;
pub mod prompts;
mod query;
mod repeat;
mod reply;
mod route;

pub use app::App;
pub use body::Fields;
pub use call::{Call, subject};
pub use cors::Cors;
pub use dispatch::handle;
pub use error::ApiError;
pub use event::sound;
pub use lambda::{run, service};
pub use query::Query;
pub use reply::Reply;
pub use route::{Handler, Method, Route, route};

/// The version prefix of every path.
pub const BASE_PATH: &str = "/v1";
