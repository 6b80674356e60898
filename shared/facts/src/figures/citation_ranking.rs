//! Rankings of the cited domains and URLs, in total and day by day.
//!
//! Every count is a number of citations. A citation is one canonical URL in one response. Therefore the URLs
//! of a row add up to the row, and so do its days.

use std::collections::HashMap;

use domain::group::ResolvedGroup;
use domain::period::DateRange;
use domain::time::Day;

use super::ranking::{RankedText, Ranking, ranking};
use crate::codec::{Selection, StringId, StringInterner};
use crate::families::{Citations, Links};

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
pub struct GroupedDomain {
    pub domain_id: StringId,
    pub row_domain_id: StringId,
}

/// Returns the domain of each member of a group with the domain of the group's row, as interned in `texts`.
///
/// Rows with equal counts are sorted by the row's domain, even if that domain itself is not cited.
pub fn row_of_domains(groups: &[ResolvedGroup], texts: &StringInterner) -> Vec<GroupedDomain> {
    let of_group = |group: &ResolvedGroup| -> Vec<GroupedDomain> {
        let Some(row_domain_id) = group.row_domain().and_then(|domain| texts.find(domain)) else {
            return Vec::new();
        };
        let ids = group.domains().filter_map(|domain| texts.find(domain));
        let grouped = |domain_id| GroupedDomain {
            domain_id,
            row_domain_id,
        };
        ids.map(grouped).collect()
    };
    groups.iter().flat_map(of_group).collect()
}

/// Ranks the cited domains, the most cited first, and returns the rows `offset` to below `offset + limit`.
/// The domains of all segments must be interned in `texts`.
///
/// A domain that `grouped` does not contain is its own row. If it contains a domain twice, the first entry
/// counts. Entries with ids that `texts` lacks have no effect.
pub fn top_domains<'a>(
    segments: impl Iterator<Item = (&'a Citations, &'a Selection)>,
    grouped: &[GroupedDomain],
    texts: &StringInterner,
    offset: usize,
    limit: usize,
) -> Ranking {
    let row_of = row_of(grouped, texts);
    ranking(&by_row(segments, &row_of), texts, offset, limit)
}

/// Returns the daily counts of the `top` rows in a range. Segments of other days do not count.
///
/// `grouped` and `texts` have the meaning that [`top_domains`] describes.
pub fn citation_trend<'a>(
    segments: impl Iterator<Item = (Day, &'a Citations, &'a Selection)> + Clone,
    grouped: &[GroupedDomain],
    texts: &StringInterner,
    range: DateRange,
    top: usize,
) -> CitationTrend {
    let row_of = row_of(grouped, texts);
    let inside = segments.filter(|(day, ..)| range.contains(*day));
    let of_range = inside.clone().map(|(_, segment, selection)| (segment, selection));
    let rows = ranking(&by_row(of_range, &row_of), texts, 0, top).rows;

    let index_of_row: HashMap<StringId, usize> = rows.iter().map(|row| row.text_id).zip(0..).collect();
    let index_of: Vec<Option<usize>> = row_of.iter().map(|row| index_of_row.get(row).copied()).collect();
    let mut days: Vec<(Day, Vec<u64>)> = range.days().map(|day| (day, vec![0; rows.len()])).collect();
    for (day, segment, selection) in inside {
        let of_day = days.iter_mut().find(|(of, _)| *of == day);
        let Some((_, counts)) = of_day else { continue };
        let index = |domain| get(&index_of, domain).flatten();
        let of_rows = segment.counts_of(selection, |d| index(d).is_some());
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
pub fn cited_urls<'a>(
    segments: impl Iterator<Item = (&'a Links, &'a Selection)>,
    texts: &StringInterner,
    offset: usize,
    limit: usize,
) -> Ranking {
    let mut counts = vec![0; texts.len()];
    for (segment, selection) in segments {
        for url in segment.counts(selection) {
            add(&mut counts, url.text_id, url.count);
        }
    }
    ranking(&counts, texts, offset, limit)
}

/// Returns the row of each domain.
fn row_of(grouped: &[GroupedDomain], texts: &StringInterner) -> Vec<StringId> {
    let mut row_of: Vec<StringId> = (0..texts.len()).map(StringId::from_index).collect();
    // The first entry of a domain overwrites the others.
    for grouped in grouped.iter().rev() {
        let is_known = grouped.row_domain_id.index() < texts.len();
        if let (Some(row_of), true) = (row_of.get_mut(grouped.domain_id.index()), is_known) {
            *row_of = grouped.row_domain_id;
        }
    }
    row_of
}

/// Returns the citations of each row, indexed by the row's id.
fn by_row<'a>(
    segments: impl Iterator<Item = (&'a Citations, &'a Selection)>,
    row_of: &[StringId],
) -> Vec<u64> {
    let mut counts = vec![0; row_of.len()];
    for (segment, selection) in segments {
        for domain in segment.counts(selection) {
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
