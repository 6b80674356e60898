//! Measures how well `mentions` reads answers, on labelled cases and on answers without any brand.
//!
//! The cases in `cases/open` are for the work on the rules. Those in `cases/put_aside` are every third case
//! of each category and language, which nobody looks at while changing the rules.

mod case;
mod grid;
pub mod regression;
mod rule;
mod score;
mod sentences;
mod without_brands;

pub use case::{Case, Part, read_cases};
pub use grid::{read_grid, read_learned_grid};
pub use rule::Rule;
pub use score::{Score, Table};
pub use sentences::{Example, Examples, read_examples};
pub use without_brands::{FalseMentions, false_mentions};

/// Reads all cases from which the weights are learned: the open ones, and those of the grid that measure
/// nothing.
pub fn read_open(with_more: bool) -> std::io::Result<Vec<Case>> {
    let mut cases = read_cases(Part::Open)?;
    cases.extend(read_grid(Part::Open)?);
    if with_more {
        cases.extend(read_learned_grid()?);
    }
    Ok(cases)
}
