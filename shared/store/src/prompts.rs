//! Prompts of an entity.

pub(crate) mod add;
mod delete;
mod read;
pub(crate) mod update;
