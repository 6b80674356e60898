//! Measures how well `mentions` reads answers, on labelled cases and on answers without any brand.
//!
//! The cases in `cases/open` are for the work on the rules. Those in `cases/put_aside` are every third case
//! of each category and language, which nobody looks at while changing the rules.

mod case;
pub mod regression;
mod score;
mod sentences;
mod without_brands;

pub use case::{Case, Part, read_cases};
pub use score::{Score, Table};
pub use sentences::{Example, Examples, read_examples};
pub use without_brands::{FalseMentions, false_mentions};
