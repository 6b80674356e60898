//! What every decoder collects from a body, and how it looks into one whose members may be missing or of another type.

use std::collections::{HashMap, HashSet};

use domain::answer::Cited;
use serde_json::Value;

use crate::AskError;

/// A body that is a JSON object. Anything else is lost.
pub(crate) fn object(body: &[u8]) -> Result<Value, AskError> {
    serde_json::from_slice(body)
        .ok()
        .filter(Value::is_object)
        .ok_or_else(|| AskError::lost("the answer is unreadable"))
}

/// The items of an array; none of anything else.
pub(crate) fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// A string that is more than white space.
pub(crate) fn text_of(value: &Value) -> Option<&str> {
    value.as_str().filter(|text| !text.trim().is_empty())
}

/// A number of tokens; 0 for anything else.
pub(crate) fn tokens(value: &Value) -> u64 {
    value.as_u64().unwrap_or(0)
}

/// Cited URLs in the order of their first appearance, each once.
#[derive(Debug, Default)]
pub(crate) struct Citations {
    cited: Vec<Cited>,
    /// Where in `cited` a URL is.
    at: HashMap<String, usize>,
}

impl Citations {
    /// Takes a citation whose URL is a text. One that is known only gives a title that was missing.
    pub(crate) fn add(&mut self, url: &Value, title: &Value) {
        let Some(url) = text_of(url) else {
            return;
        };
        let title = text_of(title).map(str::to_owned);
        if let Some(cited) = self.at.get(url).and_then(|&at| self.cited.get_mut(at)) {
            cited.title = cited.title.take().or(title);
            return;
        }
        self.at.insert(url.to_owned(), self.cited.len());
        self.cited.push(Cited {
            url: url.to_owned(),
            title,
        });
    }

    pub(crate) fn into_vec(self) -> Vec<Cited> {
        self.cited
    }
}

impl From<Vec<Cited>> for Citations {
    /// Citations to add to.
    fn from(cited: Vec<Cited>) -> Self {
        let at = cited
            .iter()
            .enumerate()
            .map(|(at, one)| (one.url.clone(), at))
            .collect();
        Self { cited, at }
    }
}

/// The web searches that were executed.
#[derive(Debug, Default)]
pub(crate) struct Searches {
    pub(crate) queries: Vec<String>,
    /// Whether there was any, be its query told or not.
    pub(crate) searched: bool,
}

impl Searches {
    /// Takes the queries of one search. Its equal queries are one; another search's equal query is another execution.
    pub(crate) fn add<'a>(&mut self, queries: impl Iterator<Item = &'a Value>) {
        self.searched = true;
        let mut known = HashSet::new();
        let new = queries
            .filter_map(text_of)
            .filter(|query| known.insert(query.trim()));
        self.queries.extend(new.map(str::to_owned));
    }
}
