//! A Lambda function behind API Gateway: its run loop, the events that become HTTP requests, and the log of
//! each request.
#![forbid(unsafe_code)]

mod answer;
mod event;
mod lambda;
mod log;

pub use answer::{Answer, answer};
pub use event::sanitize_event;
pub use lambda::{adapter, run};
pub use log::record_route;
