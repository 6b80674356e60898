//! HTTP requests and responses of the API functions: routes, authentication, rate limits, CORS, idempotency,
//! parsed input, the response envelope, and the one place where errors become HTTP responses.
#![forbid(unsafe_code)]

mod accept;
mod body;
pub mod check_status;
mod cors;
mod dispatch;
mod error;
mod idempotency;
mod input;
mod known_keys;
mod lambda;
#[rustfmt::skip] // One parameter after the other.
pub mod parameters;
pub mod prompts;
mod query;
mod rate_headers;
mod request;
mod response;
mod route;
mod state;
mod store_error;
mod table;

pub use accept::media_ranges;
pub use body::{JsonBody, parse_json};
pub use cors::Cors;
pub use dispatch::{EndpointCall, Reply, answer, authenticate, call, handle};
pub use error::ApiError;
pub use input::{Body, Input, Kind, List, Resource};
pub use known_keys::KnownKeys;
pub use lambda::{run, run_service, service};
pub use query::QueryParameters;
pub use request::{ApiRequest, parse_id};
pub use response::ApiResponse;
pub use route::{Endpoint, Handler, Method, Reach, Route, route};
pub use state::ApiState;
pub use table::{Columns, Format, Table};

/// The version prefix of every path.
pub const BASE_PATH: &str = "/v1";
