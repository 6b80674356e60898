//! The store on a real DynamoDB, through the real SDK, with what can go wrong between the two.

mod answers;
mod authentication;
mod claims;
mod creation;
mod expiry;
mod leases;
mod reads;
pub(crate) mod table;
mod transactions;
