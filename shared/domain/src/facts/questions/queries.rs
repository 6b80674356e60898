//! Rankings of the web searches of many days.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::ranking::{TextCount, page as page_of};
use crate::facts::codec::{OrdinalSet, Selection, StringId, StringInterner};
use crate::facts::families::{FanoutRowRef, Fanouts, spelling};
use crate::ordinal::PromptOrdinal;
use crate::page::Page;
use crate::time::Timestamp;

/// A segment with the selection of its rows that count, and the caller's numbers of its models.
#[derive(Debug, Clone, Copy)]
pub struct FanoutSegment<'a> {
    pub segment: &'a Fanouts,
    pub selection: &'a Selection,
    /// The caller's number of each model, indexed by the model's ordinal. It tells models apart where segments of several
    /// entities are counted together. A model beyond the end has its ordinal as its number.
    pub model_numbers: &'a [u32],
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
    /// The folded text.
    pub text: StringId,
    /// The most frequent spelling; of equally frequent ones the first, by instant, prompt, model and index in the response.
    pub query: &'t str,
    /// The number of executions.
    pub frequency: u64,
    pub unique_responses: u64,
    /// When the latest of those responses was answered.
    pub latest: Timestamp,
    /// The caller's numbers of the models that ran it.
    pub models: OrdinalSet<u32>,
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
            if let Some(count) = counts.get_mut(query.index()) {
                *count = count.saturating_add(1);
            }
        }
    }
    let needle = search.map(spelling::needle);
    let counted: Vec<TextCount> = counts
        .iter()
        .enumerate()
        .map(|(index, count)| TextCount {
            text: StringId::from_index(index),
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

/// Counts for each `wanted` query, by its folded text, the responses to each prompt that ran it.
pub fn prompts_by_query(
    days: &[FanoutSegment<'_>],
    wanted: impl Fn(StringId) -> bool,
) -> BTreeMap<StringId, BTreeMap<PromptOrdinal, u64>> {
    let mut found: BTreeMap<StringId, BTreeMap<PromptOrdinal, u64>> = BTreeMap::new();
    for day in days {
        for row in day.segment.selected(day.selection) {
            let ran: BTreeSet<StringId> = row
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

/// Returns the page's rows. This is a second pass over the searches, which reads only those on the page.
fn rows<'t>(days: &[FanoutSegment<'_>], texts: &'t StringInterner, shown: &[TextCount]) -> Vec<QueryRow<'t>> {
    const NOT_ON_PAGE: u32 = u32::MAX;
    let mut tally_of = vec![NOT_ON_PAGE; texts.len()];
    for (index, query) in (0..).zip(shown) {
        if let Some(tally) = tally_of.get_mut(query.text.index()) {
            *tally = index;
        }
    }
    let mut tallies: Vec<Tally> = shown.iter().map(|_| Tally::default()).collect();
    let mut response = 0;
    for day in days {
        for row in day.segment.selected(day.selection) {
            response += 1;
            for (search, query) in row.folded.iter().enumerate() {
                let on_page = tally_of.get(query.index()).filter(|tally| **tally != NOT_ON_PAGE);
                if let Some(tally) = on_page.and_then(|tally| tallies.get_mut(index(*tally))) {
                    let model = row.model.get();
                    let model = *day.model_numbers.get(index(model)).unwrap_or(&model);
                    tally.add(response, &row, search, model);
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
    spellings: BTreeMap<StringId, Spelling>,
}

/// How often a spelling occurs, and where first.
struct Spelling {
    count: u64,
    first: Occurrence,
}

/// Where a search ran. The earliest one is the least; the other fields decide between equal instants.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Occurrence {
    answered_at: Timestamp,
    prompt: PromptOrdinal,
    model: u32,
    /// The index of the search in its response.
    search: usize,
}

impl Tally {
    /// Adds a search of a row, by its index. `response` tells the rows apart, and `model` is the caller's number.
    fn add(&mut self, response: u64, row: &FanoutRowRef<'_>, search: usize, model: u32) {
        if self.response != response {
            self.response = response;
            self.unique_responses += 1;
            self.latest = self.latest.max(Some(row.answered_at));
            self.models.insert(model);
        }
        let Some(spelled) = row.spelled.get(search) else {
            return;
        };
        let occurrence = Occurrence {
            answered_at: row.answered_at,
            prompt: row.prompt,
            model,
            search,
        };
        let spelling = self.spellings.entry(*spelled).or_insert(Spelling {
            count: 0,
            first: occurrence,
        });
        spelling.count += 1;
        spelling.first = spelling.first.min(occurrence);
    }

    fn row<'t>(self, counted: &TextCount, texts: &'t StringInterner) -> Option<QueryRow<'t>> {
        let shown = self.spellings.iter().map(|(spelled, spelling)| {
            let text = texts.get(*spelled);
            // The text settles what is equal in all else, in responses of different entities.
            (Reverse(spelling.count), spelling.first, text)
        });
        Some(QueryRow {
            text: counted.text,
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
