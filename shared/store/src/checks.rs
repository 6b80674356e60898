//! Checks. Each is claimed, answered and finished once.

pub(crate) mod admission;
pub(crate) mod answers;
pub(crate) mod claim;
mod close;
pub(crate) mod due;
pub(crate) mod finish;
mod plan;
mod read;
pub(crate) mod shards;
mod transition;
