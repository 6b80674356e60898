//! Decoded segments in queries.

use domain::check_key::CheckKey;
use domain::comparison::{ComparedRanges, WindowSegment};
use domain::facts::Selection;
use domain::facts::figures::SelectedSegment;

/// A decoded segment of one entity, with the responses in it that count.
pub struct CachedSegment<'a, F> {
    pub check: CheckKey,
    pub segment: &'a F,
    /// The index of the entity in [`Scope::entities`](crate::Scope::entities).
    pub entity_index: usize,
    /// The prompts and models whose responses count.
    pub selection: &'a Selection,
}

impl<'a, F> CachedSegment<'a, F> {
    /// Returns the segment for a comparison, in which its entity has the given index. Returns `None` if it is in no window.
    pub fn in_window(&self, ranges: &ComparedRanges, entity_index: usize) -> Option<WindowSegment<'a, F>> {
        Some(WindowSegment {
            side: ranges.side_of(self.check.day)?,
            day: self.check.day,
            entity_index,
            segment: self.segment,
            selection: self.selection,
        })
    }

    /// Returns the segment for the citation queries of the domain.
    pub fn as_selected(&self) -> SelectedSegment<'a, F> {
        SelectedSegment {
            day: self.check.day,
            segment: self.segment,
            selection: self.selection,
        }
    }
}
