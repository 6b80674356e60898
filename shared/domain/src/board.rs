//! The board of an entity: recommendations that wait for a decision, and the tasks that were made of them.

mod actionable;
mod entity_board;
mod evidence;
mod finding;
mod outcome;
mod source_type;
mod task;
#[cfg(test)]
pub(crate) mod test_data;

pub use actionable::{Actionable, ActionableStatus, Fingerprint, Recommendation};
pub use entity_board::Board;
pub use evidence::{Counts, Evidence, Figures, Measure, Query, Window};
pub use finding::{CitedUrl, Finding, OwnCitations, Voice};
pub use outcome::{Outcome, OutcomeResult, Retired};
pub use source_type::{Category, Priority, SourceType};
pub use task::{Task, TaskStatus, TaskType};
