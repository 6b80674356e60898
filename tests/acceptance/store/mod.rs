//! Tests of the store on an embedded DynamoDB through the AWS SDK, with faults injected between the two.
#![expect(clippy::unwrap_used, reason = "what cannot be done fails the test")]

mod answers;
mod authentication;
mod board;
mod changes;
mod claims;
mod conflicts;
mod creation;
mod deletion;
mod expiry;
mod groups;
mod groups_at_once;
mod leases;
mod looks;
mod names;
mod pauses;
mod prompts;
mod reads;
mod repeats;
mod seen;
pub(crate) mod table;
mod tags;
mod targets;
mod transactions;
