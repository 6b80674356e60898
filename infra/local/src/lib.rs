//! The whole service in one process: the functions as deployed, and stand-ins for the parts of AWS around
//! them.
#![forbid(unsafe_code)]

pub mod bus;
pub mod clock;
mod clock_route;
mod data;
mod database;
pub mod demo;
mod demo_key;
mod error;
pub mod functions;
pub mod gateway;
mod history;
mod host;
pub mod invocation;
mod local_programs;
mod server;
#[cfg(test)]
mod test_client;
pub mod testing;

pub use database::{Database, DatabaseServer};
pub use error::HostError;
pub use functions::{CHECKER_TIMEOUT, ExternalFunctions, FunctionHandlers};
pub use host::{Host, HostBuilder, Options, Queues, Ready};
