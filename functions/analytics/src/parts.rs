//! From held segments to the parts of a question about citations.

use analysis::Held;
use domain::facts::domains::Part;

pub(crate) fn parts<'a, F>(held: &[Held<'a, F>]) -> Vec<Part<'a, F>> {
    let part = |held: &Held<'a, F>| Part {
        day: held.day,
        segment: held.segment,
        selection: held.selection,
    };
    held.iter().map(part).collect()
}
