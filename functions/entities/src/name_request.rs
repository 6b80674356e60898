//! `/entities/name-request`: requests for another name, which the operator reviews.

pub(crate) mod create;
pub(crate) mod get;
pub mod view;
