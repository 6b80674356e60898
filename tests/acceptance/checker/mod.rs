//! The checker, driven by hand: the test says which event comes when, how often, and where the process dies.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "what cannot be done fails the test"
)]

mod audit;
pub(crate) mod bench;
mod bus;
mod crashes;
mod damaged;
mod deadline;
mod events;
mod handovers;
mod log;
mod outages;
mod outcomes;
mod pauses;
mod probes;
pub(crate) mod recorded;
mod renewals;
mod samples;
mod unconfigured;
