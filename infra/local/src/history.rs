//! The demo workspace and its history: the service runs its own checks while service time moves forward day
//! by day.

mod board;
mod generator;
mod start;
mod tick;
mod workspace;

pub(crate) use generator::HistoryGenerator;
pub(crate) use start::start_time;
pub(crate) use tick::reconcile_all_event;
