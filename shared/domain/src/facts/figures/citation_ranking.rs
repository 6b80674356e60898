//! Rankings of the cited domains and URLs, in total and day by day.
//!
//! Every count is a number of citations. A citation is one canonical URL in one response. Therefore the URLs
//! of a row add up to the row, and so do its days.

use std::collections::HashMap;

use super::ranking::{RankedText, Ranking, ranking};
use crate::facts::codec::{Selection, StringId, StringInterner};
use crate::facts::families::{Citations, Links};
use crate::period::DateRange;
use crate::time::Day;

/// The segment of one check with the selection of its responses that count.
#[derive(Debug)]
pub struct SelectedSegment<'a, S> {
    pub day: Day,
    pub segment: &'a S,
    pub selection: &'a Selection,
}

/// The daily citations of the rows with the most citations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CitationTrend {
    /// The rows with their citations on all days, as [`top_domains`] returns them.
    pub rows: Vec<RankedText>,
    /// The days of the range, ascending, each with one count per row in the order of `rows`.
    pub days: Vec<(Day, Vec<u64>)>,
}

/// A domain whose citations count in the row of another domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MergedDomain {
    pub domain_id: StringId,
    pub row_domain_id: StringId,
}

/// Ranks the cited domains, the most cited first, and returns the rows `offset` to below `offset + limit`.
/// The domains of all segments must be interned in `texts`.
///
/// A domain that `merged` does not contain is its own row. If it contains a domain twice, the first entry
/// counts. Entries with ids that `texts` lacks have no effect.
pub fn top_domains(
    segments: &[SelectedSegment<'_, Citations>],
    merged: &[MergedDomain],
    texts: &StringInterner,
    offset: usize,
    limit: usize,
) -> Ranking {
    let row_of = row_of(merged, texts);
    ranking(&by_row(segments.iter(), &row_of), texts, offset, limit)
}

/// Returns the daily counts of the `top` rows in a range. Segments of other days do not count.
///
/// `merged` and `texts` have the meaning that [`top_domains`] describes.
pub fn citation_trend(
    segments: &[SelectedSegment<'_, Citations>],
    merged: &[MergedDomain],
    texts: &StringInterner,
    range: DateRange,
    top: usize,
) -> CitationTrend {
    let row_of = row_of(merged, texts);
    let inside = || segments.iter().filter(|selected| range.contains(selected.day));
    let rows = ranking(&by_row(inside(), &row_of), texts, 0, top).rows;

    let index_of_row: HashMap<StringId, usize> = rows.iter().map(|row| row.text_id).zip(0..).collect();
    let index_of: Vec<Option<usize>> = row_of.iter().map(|row| index_of_row.get(row).copied()).collect();
    let mut days: Vec<(Day, Vec<u64>)> = range.days().map(|day| (day, vec![0; rows.len()])).collect();
    for selected in inside() {
        let day = days.iter_mut().find(|(day, _)| *day == selected.day);
        let Some((_, counts)) = day else { continue };
        let index = |domain| get(&index_of, domain).flatten();
        let of_rows = selected
            .segment
            .counts_of(selected.selection, |d| index(d).is_some());
        for cited in of_rows {
            if let Some(sum) = index(cited.text_id).and_then(|index| counts.get_mut(index)) {
                *sum += cited.count;
            }
        }
    }
    CitationTrend { rows, days }
}

/// Ranks the cited URLs, the most cited first, and returns the rows `offset` to below `offset + limit`.
///
/// The URLs of all segments must be interned in `texts`. `segments` must contain each bucket once, decoded
/// for all requested domains, because a repeated bucket counts twice.
pub fn cited_urls(
    segments: &[SelectedSegment<'_, Links>],
    texts: &StringInterner,
    offset: usize,
    limit: usize,
) -> Ranking {
    let mut counts = vec![0; texts.len()];
    for selected in segments {
        for url in selected.segment.counts(selected.selection) {
            add(&mut counts, url.text_id, url.count);
        }
    }
    ranking(&counts, texts, offset, limit)
}

/// Returns the row of each domain.
fn row_of(merged: &[MergedDomain], texts: &StringInterner) -> Vec<StringId> {
    let mut row_of: Vec<StringId> = (0..texts.len()).map(StringId::from_index).collect();
    // The first entry of a domain overwrites the others.
    for merged in merged.iter().rev() {
        let is_known = merged.row_domain_id.index() < texts.len();
        if let (Some(row_of), true) = (row_of.get_mut(merged.domain_id.index()), is_known) {
            *row_of = merged.row_domain_id;
        }
    }
    row_of
}

/// Returns the citations of each row, indexed by the row's id.
fn by_row<'a>(
    segments: impl Iterator<Item = &'a SelectedSegment<'a, Citations>>,
    row_of: &[StringId],
) -> Vec<u64> {
    let mut counts = vec![0; row_of.len()];
    for selected in segments {
        for domain in selected.segment.counts(selected.selection) {
            if let Some(row) = get(row_of, domain.text_id) {
                add(&mut counts, row, domain.count);
            }
        }
    }
    counts
}

fn add(counts: &mut [u64], text_id: StringId, count: u64) {
    if let Some(sum) = counts.get_mut(text_id.index()) {
        *sum += count;
    }
}

fn get<T: Copy>(by_text: &[T], text_id: StringId) -> Option<T> {
    by_text.get(text_id.index()).copied()
}

#[cfg(test)]
mod tests;
