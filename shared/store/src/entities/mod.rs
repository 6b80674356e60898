//! Entities of a workspace.

pub(crate) mod create;
pub(crate) mod delete;
mod read;
pub(crate) mod write;
