//! Collects the citations of an answer.

use std::collections::HashMap;

use domain::answer::Citation;
use serde_json::Value;

use crate::json_access::non_blank_text;

/// Distinct cited URLs, in order of their first appearance.
#[derive(Debug, Default)]
pub(crate) struct Citations {
    cited: Vec<Citation>,
    /// The index in `cited` by URL.
    index_by_url: HashMap<String, usize>,
}

impl Citations {
    /// Adds a citation. Ignores it if `url` is no text. If the URL is known, only sets a missing title.
    pub(crate) fn add(&mut self, url: &Value, title: &Value) {
        let Some(url) = non_blank_text(url) else {
            return;
        };
        let title = non_blank_text(title).map(str::to_owned);
        let known = self.index_by_url.get(url).copied();
        if let Some(cited) = known.and_then(|index| self.cited.get_mut(index)) {
            cited.title = cited.title.take().or(title);
            return;
        }
        self.index_by_url.insert(url.to_owned(), self.cited.len());
        self.cited.push(Citation {
            url: url.to_owned(),
            title,
        });
    }

    /// Sets the title of a citation that has none. Ignores a URL that is not cited.
    pub(crate) fn complete_title(&mut self, url: &Value, title: &Value) {
        if url
            .as_str()
            .is_some_and(|url| self.index_by_url.contains_key(url))
        {
            self.add(url, title);
        }
    }

    /// Returns the citations.
    pub(crate) fn into_vec(self) -> Vec<Citation> {
        self.cited
    }
}

impl From<Vec<Citation>> for Citations {
    fn from(cited: Vec<Citation>) -> Self {
        let index_by_url = cited
            .iter()
            .enumerate()
            .map(|(index, one)| (one.url.clone(), index))
            .collect();
        Self { cited, index_by_url }
    }
}
