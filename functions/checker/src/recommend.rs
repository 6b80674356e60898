//! Recommendations: updates an entity's board from the facts of its latest days.
//!
//! `finish` calls this after it has written the check's facts, and `reread` after it has read the answers
//! again. The range of days depends on the check, not on the clock, so that a repeated run finds the same
//! recommendations. Only a complete check can show that the cause of a recommendation is gone.

mod board;
mod board_events;
mod facts;
mod urls;
mod workspace_names;

pub(crate) use workspace_names::WorkspaceNames;
