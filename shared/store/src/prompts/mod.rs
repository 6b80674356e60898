//! Prompts of an entity.

pub(crate) mod add;
pub(crate) mod change;
mod delete;
mod read;
