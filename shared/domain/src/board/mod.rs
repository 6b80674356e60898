//! The board of an entity: recommendations that wait for a decision, and the tasks that were made of them.

mod actionable;
mod evidence;
mod order;
#[cfg(test)]
pub(crate) mod samples;
mod task;

pub use actionable::{
    Actionable, ActionableStatus, Category, Fingerprint, Priority, Recommendation, SourceType,
};
pub use evidence::{Evidence, Query, Window};
pub use order::Board;
pub use task::{Task, TaskStatus, TaskType};
