//! The board of an entity: recommendations that wait for a decision, and the tasks that were made of them.

mod actionable;
mod evidence;
mod finding;
mod order;
mod outcome;
mod rule;
#[cfg(test)]
pub(crate) mod samples;
mod task;

pub use actionable::{Actionable, ActionableStatus, Fingerprint, Recommendation};
pub use evidence::{Counts, Evidence, Figures, Measure, Query, Window};
pub use finding::{CitedUrl, Finding, OwnCitations, Voice};
pub use order::Board;
pub use outcome::{Outcome, OutcomeResult, Retired};
pub use rule::{Category, Priority, SourceType};
pub use task::{Task, TaskStatus, TaskType};
