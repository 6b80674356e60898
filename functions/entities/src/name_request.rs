//! `/entities/name-request`: requests to change an entity's name, which the operator reviews.

pub(crate) mod create;
pub(crate) mod get;
pub mod view;
