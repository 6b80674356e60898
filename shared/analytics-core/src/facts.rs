//! The facts that a request reads.

use domain::check_key::CheckKey;
use domain::comparison::{ComparedRanges, WindowSegment};
use domain::facts::figures::SelectedSegment;
use domain::facts::{Selection, StringInterner};

/// The segments of one family in the scope of a request, by entity, day and check, and the texts that they
/// refer to.
pub struct Facts<'a, F> {
    pub texts: StringInterner,
    pub segments: Vec<EntitySegment<'a, F>>,
}

/// A segment of one entity, with the responses in it that count.
pub struct EntitySegment<'a, F> {
    pub check: CheckKey,
    pub segment: F,
    /// The index of the entity in the scope.
    pub entity_index: usize,
    /// The prompts and models whose responses count.
    pub selection: &'a Selection,
}

impl<F> Facts<'_, F> {
    /// Returns the segments for the citation queries of the domain.
    pub fn selected(&self) -> Vec<SelectedSegment<'_, F>> {
        let selected = self.segments.iter().map(|segment| SelectedSegment {
            day: segment.check.day,
            segment: &segment.segment,
            selection: segment.selection,
        });
        selected.collect()
    }

    /// Returns the segments that are in one of the windows of a comparison.
    pub fn in_windows(&self, ranges: &ComparedRanges) -> Vec<WindowSegment<'_, F>> {
        let in_window = |segment| EntitySegment::in_window(segment, ranges, segment.entity_index);
        self.segments.iter().filter_map(in_window).collect()
    }
}

impl<F> EntitySegment<'_, F> {
    /// Returns the segment for a comparison, in which its entity has the given index. Returns `None` if it is
    /// in no window.
    pub fn in_window(&self, ranges: &ComparedRanges, entity_index: usize) -> Option<WindowSegment<'_, F>> {
        Some(WindowSegment {
            side: ranges.side_of(self.check.day)?,
            day: self.check.day,
            entity_index,
            segment: &self.segment,
            selection: self.selection,
        })
    }
}
