//! The board of an entity: its recommendations, and the tasks that were created from them.

mod actionable;
mod api_query;
mod board_update;
mod candidate;
mod entity_board;
mod evidence;
mod finding;
mod hidden_names;
mod outcome;
mod scored_counts;
mod source_type;
mod task;
#[cfg(test)]
pub(crate) mod test_data;

pub use actionable::{Actionable, ActionableStatus, Fingerprint, Recommendation, UnnamedTexts};
pub use api_query::ApiQuery;
pub use board_update::{BoardUpdate, CheckFindings, TaskOutcome, update_board};
pub use candidate::Candidate;
pub use entity_board::Board;
pub use evidence::{Evidence, Window};
pub use finding::{CitedUrl, Finding, OwnCitations, ShareOfVoice};
pub use outcome::{Outcome, OutcomeResult, Retirement};
pub use scored_counts::{Counts, Measurement, ScoredCounts};
pub use source_type::{Category, Priority, SourceType, TaskType};
pub use task::{Task, TaskStatus};
