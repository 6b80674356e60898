//! Entities of a workspace.

pub(crate) mod create;
mod read;
pub(crate) mod write;
