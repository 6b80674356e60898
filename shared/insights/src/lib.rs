//! Insights: verdicts on figures. Like the domain, the crate is pure.
//!
//! - [`comparison`] judges whether a figure has changed between two windows of days.
//! - [`alert`] decides which changes are told.
//! - [`recommend`] finds what to do next.
#![forbid(unsafe_code)]

pub mod alert;
pub mod comparison;
pub mod recommend;
