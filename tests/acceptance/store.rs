//! Tests of the store on an embedded DynamoDB through the AWS SDK, with faults injected between the two.
#![expect(clippy::unwrap_used, reason = "what cannot be done fails the test")]

mod admissions;
mod answers;
mod authentication;
mod board;
mod cited_domains;
mod claims;
mod deletion;
mod entity_updates;
mod expiry;
mod group_concurrency;
pub(crate) mod groups;
mod idempotency;
mod instance;
mod known_keys;
mod leases;
mod names;
mod pauses;
mod plans;
mod prompts;
mod provider_rates;
mod reads;
mod reconciliation;
mod segments;
pub(crate) mod table;
mod tags;
mod transactions;
mod transitions;
