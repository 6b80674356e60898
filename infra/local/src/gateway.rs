//! An HTTP API of API Gateway in this process. Every request becomes an event of payload format 2.0 for a
//! function, and the function's response becomes the HTTP response.

mod event;
mod handler;
mod response;
mod router;
mod routes;

#[cfg(test)]
mod tests;

pub use handler::{ApiHandler, failed, handler};
pub use router::serve;
pub(crate) use router::{Limits, router};
