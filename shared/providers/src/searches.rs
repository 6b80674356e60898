//! Collects the web searches that a model ran.

use std::collections::HashSet;

use serde_json::Value;

use crate::json_access::non_blank_text;

/// The executed web searches.
#[derive(Debug, Default)]
pub(crate) struct Searches {
    /// The queries, in order. A query that several searches executed occurs several times.
    pub(crate) queries: Vec<String>,
    /// Whether there was a search, even if its query is unknown.
    pub(crate) searched: bool,
}

impl Searches {
    /// Adds the queries of one search, without duplicates within it.
    pub(crate) fn add<'a>(&mut self, queries: impl Iterator<Item = &'a Value>) {
        self.searched = true;
        let mut known = HashSet::new();
        let distinct = queries
            .filter_map(non_blank_text)
            .filter(|query| known.insert(query.trim()));
        self.queries.extend(distinct.map(str::to_owned));
    }
}
