//! The commands, each against a running local host.
#![forbid(unsafe_code)]

mod checks;
mod facts;
mod ids;
mod keys;
mod members;
mod models;
mod name_requests;
mod workspaces;
mod world;
