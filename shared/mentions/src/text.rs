//! A text that is searched, in all forms that the steps need.

use std::ops::Range;

use crate::fold::Folded;
use crate::language::Language;
use crate::prose::{Span, SpanKind};
use crate::slot::Slots;

/// The number of spans before a place that are looked at. Markdown of a reader's use nests less.
const MAX_SPANS: usize = 64;

/// A text that is searched: the prose, its folded form and its language.
#[derive(Clone, Copy)]
pub(crate) struct Text<'a> {
    pub prose: &'a str,
    pub folded: &'a Folded,
    pub spans: &'a [Span],
    /// The places in it that name items.
    pub slots: &'a Slots,
    pub language: Language,
}

impl<'a> Text<'a> {
    /// Returns the range of prose of the folded bytes `range`. Separators and quotes after them are not part
    /// of it.
    pub(crate) fn prose_range(&self, range: Range<usize>) -> Range<usize> {
        let start = self.folded.source_offset(range.start);
        let last = self.folded.text.floor_char_boundary(range.end.saturating_sub(1));
        let last = self.folded.source_offset(last.max(range.start));
        let end = last + self.after(last).chars().next().map_or(0, char::len_utf8);
        // A combining mark belongs to the character before it.
        let limit = self.folded.source_offset(range.end);
        let marks = self.slice(&(end..limit.max(end))).chars();
        let marks = marks.take_while(|&c| crate::script::is_continuation(c));
        start..end + marks.map(char::len_utf8).sum::<usize>()
    }

    /// Returns the prose of the folded bytes `range`.
    pub(crate) fn prose_of(&self, range: Range<usize>) -> &'a str {
        self.slice(&self.prose_range(range))
    }

    /// Returns the prose bytes `range`. A range that is not in the prose has no text, and neither has one
    /// that begins or ends inside a character. The same is true of what is before and after a byte.
    pub(crate) fn slice(&self, range: &Range<usize>) -> &'a str {
        self.prose.get(range.clone()).unwrap_or("")
    }

    /// Returns the prose before the byte `at`.
    pub(crate) fn before(&self, at: usize) -> &'a str {
        self.prose.get(..at).unwrap_or("")
    }

    /// Returns the prose from the byte `at` on.
    pub(crate) fn after(&self, at: usize) -> &'a str {
        self.prose.get(at..).unwrap_or("")
    }

    /// Returns the innermost span of a kind that contains the prose bytes `range`.
    pub(crate) fn span(&self, kind: SpanKind, range: &Range<usize>) -> Option<&'a Span> {
        let before = self.spans.partition_point(|span| span.range.start <= range.start);
        let nearest = self.spans[..before].iter().rev().take(MAX_SPANS);
        nearest
            .into_iter()
            .find(|span| span.kind == kind && range.end <= span.range.end)
    }

    /// Returns the number of spans of a kind around the prose bytes `range`.
    pub(crate) fn depth(&self, kind: SpanKind, range: &Range<usize>) -> usize {
        let before = self.spans.partition_point(|span| span.range.start <= range.start);
        let nearest = self.spans[..before].iter().rev().take(MAX_SPANS);
        nearest
            .filter(|span| span.kind == kind && range.end <= span.range.end)
            .count()
    }

    /// Returns the spans that start in the prose bytes `range`.
    pub(crate) fn spans_in(&self, range: &Range<usize>) -> &'a [Span] {
        let from = self.spans.partition_point(|span| span.range.start < range.start);
        let to = self.spans.partition_point(|span| span.range.start < range.end);
        self.spans.get(from..to).unwrap_or(&[])
    }

    /// Returns the folded bytes of the prose bytes `range`.
    pub(crate) fn folded_range(&self, range: &Range<usize>) -> Range<usize> {
        let at = |prose: usize| {
            self.folded
                .offsets
                .partition_point(|&offset| (offset as usize) < prose)
        };
        let length = self.folded.text.len();
        at(range.start).min(length)..at(range.end).min(length)
    }
}
