//! Whether the figures of an entity have changed between two windows of days.
//!
//! - [`compared_ranges`] parses the windows.
//! - [`compared_pairs`] finds the prompts and models that were asked in both of them. Only their answers are
//!   compared.
//! - [`compared_answers`] collects these answers.
//! - [`observe`] counts what is compared: mentions, shares of voice, citations.
//! - [`judgement`] and [`slices`] decide for all answers, and for those of each model, prompt and tag.
//! - [`reported_versions`] collects the versions that the models reported.
//! - [`model_changes`] finds models whose version changed, and whether that explains a change.
//! - [`visibility`] and [`share_of_voice`] put these together.
//!
//! The statistics are those of the crate `statistics`.

mod compared_answers;
mod compared_pairs;
mod compared_ranges;
mod judgement;
mod model_changes;
mod observe;
mod pair_outcomes;
mod reported_versions;
mod share_of_voice;
mod slices;
#[cfg(test)]
mod tests;
mod visibility;

pub use compared_answers::ComparedAnswers;
pub use compared_pairs::{ComparedPairs, LeftOut, LeftOutReason, PromptKey, WindowSegment};
pub use compared_ranges::ComparedRanges;
pub use judgement::{Judgement, NotComparableReason, Verdict};
pub use model_changes::ModelChange;
pub use reported_versions::VersionDays;
pub use share_of_voice::{VoiceComparison, compare_share_of_voice};
pub use slices::{Slices, TaggedPrompts, compare_slices};
pub use visibility::{VisibilityComparison, compare_visibility, compare_whole_visibility};
