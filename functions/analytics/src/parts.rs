//! From held segments to the parts of a question about citations.

use analytics_core::CachedSegment;
use domain::facts::questions::SelectedSegment;

pub(crate) fn parts<'a, F>(held: &[CachedSegment<'a, F>]) -> Vec<SelectedSegment<'a, F>> {
    let part = |held: &CachedSegment<'a, F>| SelectedSegment {
        day: held.day,
        segment: held.segment,
        selection: held.selection,
    };
    held.iter().map(part).collect()
}
