//! Rankings of the web searches of many days.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::ranking::{TextCount, page as page_of};
use crate::facts::codec::{OrdinalSet, Selection, StringInterner};
use crate::facts::families::{FanoutRowRef, Fanouts, spelling};
use crate::page::Page;
use crate::time::Timestamp;

/// A segment with the selection of its rows that count, and the numbers of its models.
#[derive(Debug, Clone, Copy)]
pub struct FanoutSegment<'a> {
    pub segment: &'a Fanouts,
    pub selection: &'a Selection,
    /// The number of each model ordinal, where segments of several entities are counted together. An ordinal
    /// beyond the table is its own number, so that one entity's segments need none.
    pub models: &'a [u32],
}

/// A page of the distinct queries, the most frequent first. Equally frequent ones are in the order of their folded texts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct QueryPage<'t> {
    /// The number of distinct queries on all pages.
    pub total_count: u64,
    /// The number of executions on all pages.
    pub total_queries: u64,
    pub rows: Vec<QueryRow<'t>>,
}

/// All searches of one folded text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryRow<'t> {
    /// The number of the folded text.
    pub number: u32,
    /// The most frequent spelling; of equally frequent ones the first seen, by instant, prompt, model and place.
    pub query: &'t str,
    /// The number of executions.
    pub frequency: u64,
    pub unique_responses: u64,
    /// When the latest of those responses was answered.
    pub latest: Timestamp,
    /// The numbers of the models that ran it.
    pub models: OrdinalSet,
}

/// The queries of all days, of which `search` keeps those whose shown text contains it, whatever the case. The
/// segments must have been decoded with `texts`.
pub fn queries<'t>(
    days: &[FanoutSegment<'_>],
    texts: &'t StringInterner,
    search: Option<&str>,
    page: &Page,
) -> QueryPage<'t> {
    let mut counts = vec![0u32; texts.len()];
    for day in days {
        for query in day.segment.folded(day.selection).flatten() {
            if let Some(count) = counts.get_mut(index(*query)) {
                *count = count.saturating_add(1);
            }
        }
    }
    let needle = search.map(spelling::needle);
    let counted: Vec<TextCount> = (0..)
        .zip(&counts)
        .map(|(text, count)| TextCount {
            text,
            count: u64::from(*count),
        })
        .filter(|query| query.count > 0)
        .filter(|query| {
            needle
                .as_ref()
                .is_none_or(|n| texts.get(query.text).contains(n.as_str()))
        })
        .collect();
    let mut found = QueryPage {
        total_count: u64::try_from(counted.len()).unwrap_or(u64::MAX),
        total_queries: counted.iter().map(|query| query.count).sum(),
        rows: Vec::new(),
    };
    let shown = page_of(counted, texts, page.offset(), page.limit());
    found.rows = rows(days, texts, &shown);
    found
}

/// Which prompts the `wanted` queries were run for, by the numbers of their folded texts: each prompt's ordinal with how
/// many of its responses ran the query.
pub fn prompts_by_query(
    days: &[FanoutSegment<'_>],
    wanted: impl Fn(u32) -> bool,
) -> BTreeMap<u32, BTreeMap<u32, u64>> {
    let mut found: BTreeMap<u32, BTreeMap<u32, u64>> = BTreeMap::new();
    for day in days {
        for row in day.segment.selected(day.selection) {
            let ran: BTreeSet<u32> = row
                .folded
                .iter()
                .copied()
                .filter(|query| wanted(*query))
                .collect();
            for query in ran {
                *found.entry(query).or_default().entry(row.prompt).or_default() += 1;
            }
        }
    }
    found
}

/// The page's rows: a second pass over the searches, which looks at those on the page alone.
fn rows<'t>(days: &[FanoutSegment<'_>], texts: &'t StringInterner, shown: &[TextCount]) -> Vec<QueryRow<'t>> {
    const ELSEWHERE: u32 = u32::MAX;
    let mut places = vec![ELSEWHERE; texts.len()];
    for (place, query) in (0..).zip(shown) {
        if let Some(slot) = places.get_mut(index(query.text)) {
            *slot = place;
        }
    }
    let mut tallies: Vec<Tally> = shown.iter().map(|_| Tally::default()).collect();
    let mut response = 0;
    for day in days {
        for row in day.segment.selected(day.selection) {
            response += 1;
            for (place, query) in row.folded.iter().enumerate() {
                let on_page = places.get(index(*query)).filter(|place| **place != ELSEWHERE);
                if let Some(tally) = on_page.and_then(|place| tallies.get_mut(index(*place))) {
                    let model = *day.models.get(index(row.model)).unwrap_or(&row.model);
                    tally.add(response, &row, place, model);
                }
            }
        }
    }
    let rows = shown.iter().zip(tallies);
    rows.filter_map(|(query, tally)| tally.row(query, texts))
        .collect()
}

/// What is known of a query on the page.
#[derive(Default)]
struct Tally {
    unique_responses: u64,
    /// The response that was counted last, from 1.
    response: u64,
    latest: Option<Timestamp>,
    models: BTreeSet<u32>,
    spellings: BTreeMap<u32, Spelling>,
}

/// How often a spelling occurs, and where first: instant, prompt, model, place in the response.
struct Spelling {
    count: u64,
    first: (Timestamp, u32, u32, usize),
}

impl Tally {
    /// Adds the search at that place of that row, of the response of that number.
    fn add(&mut self, response: u64, row: &FanoutRowRef<'_>, place: usize, model: u32) {
        if self.response != response {
            self.response = response;
            self.unique_responses += 1;
            self.latest = self.latest.max(Some(row.answered_at));
            self.models.insert(model);
        }
        let Some(spelled) = row.spelled.get(place) else {
            return;
        };
        let seen = (row.answered_at, row.prompt, model, place);
        let spelling = self.spellings.entry(*spelled).or_insert(Spelling {
            count: 0,
            first: seen,
        });
        spelling.count += 1;
        spelling.first = spelling.first.min(seen);
    }

    fn row<'t>(self, counted: &TextCount, texts: &'t StringInterner) -> Option<QueryRow<'t>> {
        let shown = self.spellings.iter().map(|(number, spelling)| {
            let text = texts.get(*number);
            // The text settles what is equal in all else, in responses of different entities.
            (Reverse(spelling.count), spelling.first, text)
        });
        Some(QueryRow {
            number: counted.text,
            query: shown.min()?.2,
            frequency: counted.count,
            unique_responses: self.unique_responses,
            latest: self.latest?,
            models: self.models.into_iter().collect(),
        })
    }
}

fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests;
