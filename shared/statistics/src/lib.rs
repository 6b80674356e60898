//! Whether a share has changed between two windows of days, or whether chance explains the difference.
//!
//! [`Observations::compare`] compares the answers of two windows. Answers resemble each other if they answer
//! the same prompt or are given on the same day, so that the number of answers overstates what is known. Its
//! steps, in the order of the modules:
//!
//! 1. [`observation`] and [`observations`]: what is compared: counts by prompt, model, day and window.
//! 2. [`pairs`]: a prompt and a model that were asked in both windows are a pair. The change is the weighted
//!    mean of the differences of the pairs, so that a window with other prompts or models does not look like
//!    a change.
//! 3. [`clusters`] and [`variance`]: how far chance moves the change: the variance between prompts, and what
//!    days add to it.
//! 4. [`exact`]: exact tests for a few prompts or days, for which a t distribution is not reliable.
//! 5. [`comparison`]: the interval and the p-value.
//!
//! [`are_discoveries`] judges many comparisons together, so that one of 25 prompts does not "move" by chance
//! alone.
//!
//! Nothing is random: the same observations give the same result.
#![forbid(unsafe_code)]

mod clusters;
pub mod comparison;
pub mod exact;
pub mod false_discoveries;
pub mod observation;
pub mod observations;
mod pairs;
mod variance;

pub use comparison::{Comparison, Unit};
pub use false_discoveries::are_discoveries;
pub use observation::{Counts, Observation, Side};
pub use observations::Observations;
