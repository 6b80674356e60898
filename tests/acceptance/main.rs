//! Acceptance tests of the service through its public interfaces.
#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a helper that fails is a failed test"
)]

mod access;
mod actions;
mod analytics;
mod attacks;
mod checker;
mod console;
mod contract;
mod docs;
mod domain_groups;
mod entities;
mod export;
mod first_check;
mod interface;
mod log;
mod mcp;
mod prompts;
mod rereading;
mod settings;
mod simulation;
mod store;
mod tables;
mod tags;
mod template;
mod usage;
mod watch;
mod webhooks;
mod workspace;
