//! Tests of the checker that decide which events are delivered, how often, and where the process crashes.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "what cannot be done fails the test"
)]

mod admission;
mod audit;
pub(crate) mod aws_calls;
mod bus;
mod crashes;
mod damaged;
mod deadline;
mod early_answers;
mod erasure;
mod events;
pub(crate) mod fixture;
mod log;
mod outages;
mod outcomes;
mod pauses;
mod probes;
mod rates;
mod refusals;
mod renewals;
mod samples;
mod secret;
mod shard_handover;
mod unconfigured;
