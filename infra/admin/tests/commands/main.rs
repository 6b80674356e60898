//! The commands, each against a running local host.
#![forbid(unsafe_code)]
#![expect(
    clippy::disallowed_methods,
    reason = "the tests read the workspaces that they create"
)]

mod checks;
mod connection;
mod erasure;
mod facts;
mod ids;
mod keys;
mod members;
mod models;
mod name_requests;
mod workspaces;
mod world;
