//! Domain groups: several brands that count as one. The BRAND items of the members decide the membership.

mod context;
mod create;
mod delete;
mod read;
mod update;
pub(crate) mod write;

use thiserror::Error;

use crate::Refusal;

pub use create::NewGroup;
pub use update::GroupUpdate;

/// Why a group is not created or updated.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GroupError {
    #[error(transparent)]
    Common(#[from] Refusal),
    /// The reference at this index names a member of another group.
    #[error("entities[{index}] is a member of another group")]
    InOtherGroup { index: usize },
    #[error("the limit of {limit} entities would be exceeded")]
    EntityLimit { limit: u32 },
    /// The groups that are scoped to the entity, together with their members, would exceed their limit.
    #[error("the limit of {limit} groups and members of one scope would be exceeded")]
    ScopeLimit { limit: usize },
}
