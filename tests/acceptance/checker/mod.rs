//! The checker, driven by hand: the test says which event comes when, how often, and where the process dies.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "what cannot be done fails the test"
)]

mod audit;
mod bench;
mod crashes;
mod deadline;
mod events;
mod handovers;
mod outcomes;
mod renewals;
mod unconfigured;
