//! Rankings of the web searches of several checks.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use domain::number::to_usize;
use domain::ordinal::PromptOrdinal;
use domain::ordinal_set::OrdinalSet;
use domain::page::Page;
use domain::time::Timestamp;

use super::ranking::{TextCount, page as page_of};
use crate::codec::{Selection, StringId, StringInterner};
use crate::families::{FanoutRowRef, Fanouts, spelling};

/// A segment with the selection of its rows that count, and the caller's numbers of its models.
#[derive(Debug, Clone, Copy)]
pub struct FanoutSegment<'a> {
    pub segment: &'a Fanouts,
    pub selection: &'a Selection,
    /// The caller's number of each model, indexed by the model's ordinal. It distinguishes models if segments
    /// of several entities are counted together. The number of a model beyond the end is its ordinal.
    pub model_numbers: &'a [u32],
}

/// A page of the distinct queries, sorted by frequency, the highest first, then by folded text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct QueryPage<'t> {
    /// The number of distinct queries on all pages.
    pub total_count: usize,
    /// The number of executions on all pages.
    pub total_queries: u64,
    pub rows: Vec<QueryRow<'t>>,
}

/// All searches with the same folded text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryRow<'t> {
    /// The id of the folded text.
    pub text_id: StringId,
    /// The most frequent spelling. Of equally frequent ones it is the earliest, by time, prompt, model and
    /// index in the response.
    pub query: &'t str,
    /// The number of executions.
    pub frequency: u64,
    pub unique_responses: u64,
    /// The time at which the latest of these responses was answered.
    pub latest: Timestamp,
    /// The caller's numbers of the models that ran the query.
    pub models: OrdinalSet<u32>,
}

/// Returns a page of the queries of all segments. If there is a text `containing`, only queries that contain
/// it in any case count.
///
/// The texts of all segments must be interned in `texts`.
pub fn queries<'t>(
    segments: &[FanoutSegment<'_>],
    texts: &'t StringInterner,
    containing: Option<&str>,
    page: &Page,
) -> QueryPage<'t> {
    let mut counts = vec![0u32; texts.len()];
    for selected in segments {
        for query in selected.segment.folded(selected.selection).flatten() {
            if let Some(count) = counts.get_mut(query.index()) {
                *count = count.saturating_add(1);
            }
        }
    }
    let needle = containing.map(spelling::needle);
    let counted: Vec<TextCount> = counts
        .iter()
        .enumerate()
        .map(|(index, count)| TextCount {
            text_id: StringId::from_index(index),
            count: u64::from(*count),
        })
        .filter(|query| query.count > 0)
        .filter(|query| {
            needle
                .as_ref()
                .is_none_or(|n| texts.get(query.text_id).contains(n.as_str()))
        })
        .collect();
    let mut result = QueryPage {
        total_count: counted.len(),
        total_queries: counted.iter().map(|query| query.count).sum(),
        rows: Vec::new(),
    };
    let on_page = page_of(counted, texts, page.offset(), page.limit());
    result.rows = rows(segments, texts, &on_page);
    result
}

/// Counts the responses that ran each `wanted` query, by the query's folded text and the prompt.
pub fn prompts_by_query(
    segments: &[FanoutSegment<'_>],
    wanted: impl Fn(StringId) -> bool,
) -> BTreeMap<StringId, BTreeMap<PromptOrdinal, u64>> {
    let mut counts: BTreeMap<StringId, BTreeMap<PromptOrdinal, u64>> = BTreeMap::new();
    for selected in segments {
        for row in selected.segment.selected(selected.selection) {
            let ran: BTreeSet<StringId> = row
                .folded
                .iter()
                .copied()
                .filter(|query| wanted(*query))
                .collect();
            for query in ran {
                *counts.entry(query).or_default().entry(row.prompt).or_default() += 1;
            }
        }
    }
    counts
}

/// Returns the rows of the queries on a page, with a second pass over the searches.
fn rows<'t>(
    segments: &[FanoutSegment<'_>],
    texts: &'t StringInterner,
    on_page: &[TextCount],
) -> Vec<QueryRow<'t>> {
    const NOT_ON_PAGE: u32 = u32::MAX;
    let mut tally_of = vec![NOT_ON_PAGE; texts.len()];
    for (index, query) in (0..).zip(on_page) {
        if let Some(tally) = tally_of.get_mut(query.text_id.index()) {
            *tally = index;
        }
    }
    let mut tallies: Vec<Tally> = on_page.iter().map(|_| Tally::default()).collect();
    let mut response = 0;
    for selected in segments {
        for row in selected.segment.selected(selected.selection) {
            response += 1;
            for (search_index, query) in row.folded.iter().enumerate() {
                let tally = tally_of.get(query.index()).filter(|tally| **tally != NOT_ON_PAGE);
                if let Some(tally) = tally.and_then(|tally| tallies.get_mut(index(*tally))) {
                    let model = row.model.get();
                    let model = *selected.model_numbers.get(index(model)).unwrap_or(&model);
                    tally.add(response, &row, search_index, model);
                }
            }
        }
    }
    let rows = on_page.iter().zip(tallies);
    rows.filter_map(|(query, tally)| tally.row(query, texts))
        .collect()
}

/// The counts of a query on the page.
#[derive(Default)]
struct Tally {
    unique_responses: u64,
    /// The number of the response that was counted last, counted from 1.
    response: u64,
    latest: Option<Timestamp>,
    models: BTreeSet<u32>,
    spellings: BTreeMap<StringId, Spelling>,
}

/// The number of occurrences of a spelling, and the first of them.
struct Spelling {
    count: u64,
    first: Occurrence,
}

/// An occurrence of a search. Occurrences are sorted by time, then by the other fields.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Occurrence {
    answered_at: Timestamp,
    prompt: PromptOrdinal,
    model: u32,
    /// The index of the search in its response.
    search_index: usize,
}

impl Tally {
    /// Adds the search with this index of a row. `response` is the number of the row, and `model` the
    /// caller's number.
    fn add(&mut self, response: u64, row: &FanoutRowRef<'_>, search_index: usize, model: u32) {
        if self.response != response {
            self.response = response;
            self.unique_responses += 1;
            self.latest = self.latest.max(Some(row.answered_at));
            self.models.insert(model);
        }
        let Some(spelled) = row.spelled.get(search_index) else {
            return;
        };
        let occurrence = Occurrence {
            answered_at: row.answered_at,
            prompt: row.prompt,
            model,
            search_index,
        };
        let spelling = self.spellings.entry(*spelled).or_insert(Spelling {
            count: 0,
            first: occurrence,
        });
        spelling.count += 1;
        spelling.first = spelling.first.min(occurrence);
    }

    fn row<'t>(self, counted: &TextCount, texts: &'t StringInterner) -> Option<QueryRow<'t>> {
        let spellings = self.spellings.iter().map(|(spelled, spelling)| {
            let text = texts.get(*spelled);
            // Occurrences in responses of different entities can be equal, so the text decides last.
            (Reverse(spelling.count), spelling.first, text)
        });
        Some(QueryRow {
            text_id: counted.text_id,
            query: spellings.min()?.2,
            frequency: counted.count,
            unique_responses: self.unique_responses,
            latest: self.latest?,
            models: self.models.into_iter().collect(),
        })
    }
}

fn index(number: u32) -> usize {
    to_usize(number)
}

#[cfg(test)]
mod tests;
