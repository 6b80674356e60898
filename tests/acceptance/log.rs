//! The log identifies workspaces and requests, and contains no questions, answers or keys.

mod capture;
mod metrics;
mod providers;
mod requests;
mod unreadable;

pub(crate) use capture::CapturedLog;
