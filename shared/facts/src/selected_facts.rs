//! The facts that a request reads.

use std::sync::Arc;

use domain::check_key::CheckKey;

use crate::codec::{Selection, StringInterner};

/// The segments of one family in the scope of a request, by entity, day and check, and the texts that they
/// refer to.
pub struct SelectedFacts<'a, F> {
    pub texts: StringInterner,
    pub segments: Vec<SelectedSegment<'a, F>>,
}

/// A segment of one entity, with the responses in it that count.
pub struct SelectedSegment<'a, F> {
    pub check: CheckKey,
    pub segment: Arc<F>,
    /// The index of the entity in the scope.
    pub entity_index: usize,
    /// The prompts and models whose responses count.
    pub selection: &'a Selection,
}

impl<F> SelectedFacts<'_, F> {
    /// Returns each segment with the responses in it that count.
    pub fn selected(&self) -> impl Iterator<Item = (&F, &Selection)> {
        self.segments.iter().map(|of| (of.segment.as_ref(), of.selection))
    }
}
