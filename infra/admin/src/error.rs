//! The errors of commands. Their texts name options and rules but never values, because a misplaced value can
//! be an API key.

use domain::catalogue::CatalogueError;
use domain::error::InvalidField;
use events::BusError;
use facts::SegmentError;
use store::{MemberError, Refusal, Resource, ReviewError, StoreError, WriteError};
use thiserror::Error;

#[derive(Debug, Error)]
pub enum AdminError {
    /// An option that breaks a rule.
    #[error(transparent)]
    InvalidField(#[from] InvalidField),
    /// The value of an option is not an id, or nothing with this id exists.
    #[error("{option} names no {what}")]
    Unknown {
        option: &'static str,
        what: &'static str,
    },
    /// A rule of the service forbids the command.
    #[error("{0}")]
    Refused(&'static str),
    /// A rule that several operations share forbids the command.
    #[error(transparent)]
    Refusal(Refusal),
    /// A file cannot be written.
    #[error("--out cannot be written: {0}")]
    Output(#[from] std::io::Error),
    /// An item cannot be written as JSON.
    #[error("an item cannot be exported")]
    Encode(#[from] serde_json::Error),
    /// A segment cannot be decoded.
    #[error(transparent)]
    Facts(#[from] SegmentError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Bus(#[from] BusError),
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
}

impl AdminError {
    pub(crate) fn unknown_workspace() -> Self {
        Self::Unknown {
            option: "--workspace",
            what: "workspace",
        }
    }

    pub(crate) fn unknown_entity() -> Self {
        Self::Unknown {
            option: "--entity",
            what: "entity of this workspace",
        }
    }

    pub(crate) fn unknown_member() -> Self {
        Self::Unknown {
            option: "--member",
            what: "member of this workspace",
        }
    }

    pub(crate) fn unknown_key() -> Self {
        Self::Unknown {
            option: "--key",
            what: "key id of this workspace",
        }
    }
}

impl<R: Into<AdminError>> From<WriteError<R>> for AdminError {
    fn from(error: WriteError<R>) -> Self {
        match error {
            WriteError::Refused(refusal) => refusal.into(),
            WriteError::AlreadyRecorded => {
                Self::Refused("another request with the same idempotency key took effect first")
            }
            WriteError::Store(error) => error.into(),
        }
    }
}

impl From<Refusal> for AdminError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::NotFound(Resource::Workspace) => Self::unknown_workspace(),
            Refusal::NotFound(Resource::Entity) => Self::unknown_entity(),
            refusal => Self::Refusal(refusal),
        }
    }
}

impl From<MemberError> for AdminError {
    fn from(error: MemberError) -> Self {
        match error {
            MemberError::Common(refusal) => refusal.into(),
            MemberError::AlreadyMember => Self::Refused("this address is a member already"),
            MemberError::MemberLimit { .. } => {
                Self::Refused("the workspace's limit of team members is reached")
            }
        }
    }
}

impl From<ReviewError> for AdminError {
    fn from(error: ReviewError) -> Self {
        match error {
            ReviewError::Common(refusal) => refusal.into(),
            ReviewError::NotPending => {
                Self::Refused("no name change request of this entity waits for a review")
            }
            ReviewError::AlreadyTracked => {
                Self::Refused("another entity of the workspace tracks this name; the request stays pending")
            }
            ReviewError::NameTaken(_) => Self::Refused(
                "another tracked brand of the workspace has this name, or one of the aliases, as name, alias or domain; the \
                 request stays pending",
            ),
        }
    }
}
