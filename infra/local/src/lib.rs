//! The whole service in one process: the functions as they are, and stand-ins for what AWS does around them.
#![forbid(unsafe_code)]

pub mod bus;
pub mod clock;
mod data;
mod database;
pub mod demo;
mod docs;
pub mod functions;
pub mod gateway;
mod history;
mod host;
mod provider;

pub use database::Database;
pub use functions::{CHECKER_TIMEOUT, ExternalFunctions, FunctionHandlers};
pub use host::{Host, HostError, Options, Ready, Side};
