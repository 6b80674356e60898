//! From held segments to the parts of a question about citations.

use analytics_core::CachedSegment;
use domain::facts::domains::Part;

pub(crate) fn parts<'a, F>(held: &[CachedSegment<'a, F>]) -> Vec<Part<'a, F>> {
    let part = |held: &CachedSegment<'a, F>| Part {
        day: held.day,
        segment: held.segment,
        selection: held.selection,
    };
    held.iter().map(part).collect()
}
