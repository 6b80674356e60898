//! Domain groups: several brands that count as one. Their members' BRAND items decide the membership.

mod change;
mod create;
mod delete;
pub(crate) mod mend;
mod read;
mod surroundings;
mod write;

use domain::error::InvalidField;

pub use change::GroupUpdate;
pub use create::NewGroup;

/// Why a group is not created, changed or deleted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GroupError {
    NoWorkspace,
    UnknownGroup,
    /// A reference or the scope names no entity or brand of this workspace.
    UnknownEntity,
    /// The members make no group.
    InvalidField(InvalidField),
    Canceled,
    /// The reference at this place names a member of another group.
    InOtherGroup {
        place: usize,
    },
    EntityLimit {
        limit: u32,
    },
    /// The groups of the scope and their members would be more.
    ScopeLimit {
        limit: usize,
    },
}
