//! The keys of checks and shards in an entity.

use crate::ordinal::{CheckNumber, ShardNumber};
use crate::time::Day;

/// A check of an entity with the day of its responses, as keys of responses and segments name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CheckKey {
    /// The UTC day on which the check was claimed.
    pub day: Day,
    pub check: CheckNumber,
}

/// A shard of one of an entity's checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShardKey {
    pub check: CheckNumber,
    pub shard: ShardNumber,
}
