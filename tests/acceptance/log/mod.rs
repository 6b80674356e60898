//! What the service logs: enough to see what happens to whom, nothing of what is asked, told or paid with.

mod capture;
mod metrics;
mod providers;
mod requests;
mod unreadable;

pub(crate) use capture::Log;
