//! Entities of a workspace.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod names;
mod read;
pub(crate) mod target;
pub(crate) mod update;
pub(crate) mod write;
