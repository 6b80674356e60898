//! Rankings of the cited domains and URLs, in total and day by day.
//!
//! Every count is a number of citations. A citation is one canonical URL in one response. Therefore the URLs of a row add
//! up to the row, and so do its days.

use std::collections::HashMap;

use super::ranking::{RankedText, Ranking, ranking};
use crate::facts::codec::{Selection, StringInterner};
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
    /// The rows, with their citations of all days, as [`top_domains`] has them.
    pub rows: Vec<RankedText>,
    /// Every day of the range, ascending, and on it one count per row, in the order of `rows`.
    pub days: Vec<(Day, Vec<u64>)>,
}

/// The cited domains, the most cited first: the rows `offset` to below `offset + limit`. All parts' domains
/// must be numbered in `texts`.
///
/// `merged` puts domains into the row of another: pairs of both numbers. A domain that is not there is its own
/// row; of two pairs of one domain the first counts; a pair with a number that `texts` lacks counts for nothing.
pub fn top_domains(
    parts: &[SelectedSegment<'_, Citations>],
    merged: &[(u32, u32)],
    texts: &StringInterner,
    offset: u64,
    limit: u64,
) -> Ranking {
    let row_of = row_of(merged, texts);
    ranking(&by_row(parts.iter(), &row_of), texts, offset, limit)
}

/// The `top` rows of the whole range (of [`top_domains`], which explains the arguments) day by day. Parts of
/// other days do not count.
pub fn citation_trend(
    parts: &[SelectedSegment<'_, Citations>],
    merged: &[(u32, u32)],
    texts: &StringInterner,
    range: DateRange,
    top: u64,
) -> CitationTrend {
    let row_of = row_of(merged, texts);
    let inside = || parts.iter().filter(|part| range.contains(part.day));
    let rows = ranking(&by_row(inside(), &row_of), texts, 0, top).rows;

    let place_of_row: HashMap<u32, usize> = rows.iter().map(|row| row.number).zip(0..).collect();
    let place_of: Vec<Option<usize>> = row_of.iter().map(|row| place_of_row.get(row).copied()).collect();
    let mut days: Vec<(Day, Vec<u64>)> = range.days().map(|day| (day, vec![0; rows.len()])).collect();
    for part in inside() {
        let day = days.iter_mut().find(|(day, _)| *day == part.day);
        let Some((_, counts)) = day else { continue };
        let place = |domain| get(&place_of, domain).flatten();
        let of_rows = part.segment.counts_of(part.selection, |d| place(d).is_some());
        for (domain, count) in of_rows {
            if let Some(sum) = place(domain).and_then(|place| counts.get_mut(place)) {
                *sum += count;
            }
        }
    }
    CitationTrend { rows, days }
}

/// The URLs of the parts' links, the most cited first: the rows `offset` to below `offset + limit`. All parts'
/// URLs must be numbered in `texts`. A bucket counts as often as it is there, so each must be there once, decoded
/// for all the domains that are asked for.
pub fn cited_urls(
    parts: &[SelectedSegment<'_, Links>],
    texts: &StringInterner,
    offset: u64,
    limit: u64,
) -> Ranking {
    let mut counts = vec![0; texts.len()];
    for part in parts {
        for (url, count) in part.segment.counts(part.selection) {
            add(&mut counts, url, count);
        }
    }
    ranking(&counts, texts, offset, limit)
}

/// Which row each domain is in, by their numbers.
fn row_of(merged: &[(u32, u32)], texts: &StringInterner) -> Vec<u32> {
    let mut row_of: Vec<u32> = (0u32..).take(texts.len()).collect();
    // The first pair of a domain is set last.
    for (domain, row) in merged.iter().rev() {
        let is_known = index(*row) < texts.len();
        if let (Some(row_of), true) = (row_of.get_mut(index(*domain)), is_known) {
            *row_of = *row;
        }
    }
    row_of
}

/// The parts' citations, by the number of the row.
fn by_row<'a>(parts: impl Iterator<Item = &'a SelectedSegment<'a, Citations>>, row_of: &[u32]) -> Vec<u64> {
    let mut counts = vec![0; row_of.len()];
    for part in parts {
        for (domain, count) in part.segment.counts(part.selection) {
            if let Some(row) = get(row_of, domain) {
                add(&mut counts, row, count);
            }
        }
    }
    counts
}

fn add(counts: &mut [u64], number: u32, count: u64) {
    if let Some(sum) = counts.get_mut(index(number)) {
        *sum += count;
    }
}

fn get<T: Copy>(by_number: &[T], number: u32) -> Option<T> {
    by_number.get(index(number)).copied()
}

fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests;
