//! Why a command did nothing. The texts are shown to the operator: they name options and rules, never values,
//! because what stands in the wrong place may be a key.

use domain::catalogue::BadCatalogue;
use domain::error::InvalidField;
use domain::facts::SegmentError;
use events::BusError;
use store::StoreError;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum AdminError {
    /// An option that breaks a rule.
    #[error(transparent)]
    InvalidField(#[from] InvalidField),
    /// The option names something that does not exist, or is no id at all.
    #[error("{option} names no {what}")]
    Unknown {
        option: &'static str,
        what: &'static str,
    },
    /// A rule of the service.
    #[error("{0}")]
    Refused(&'static str),
    /// A segment that cannot be read.
    #[error(transparent)]
    Facts(#[from] SegmentError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Bus(#[from] BusError),
    #[error(transparent)]
    Catalogue(#[from] BadCatalogue),
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
