//! The keys of an entity's checks and shards.

use crate::ordinal::{CheckNumber, ShardNumber};
use crate::time::Day;

/// Identifies a check of an entity in the keys of its responses and segments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CheckKey {
    /// The UTC day on which the check was claimed.
    pub day: Day,
    pub check: CheckNumber,
}

/// Identifies a shard of an entity's check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShardKey {
    pub check: CheckNumber,
    pub shard: ShardNumber,
}
