//! Collects the citations of an answer.

use std::collections::{HashMap, HashSet};

use domain::answer::{Citation, CitationKind};
use domain::citation::CanonicalUrl;
use serde_json::Value;

use crate::json_access::non_blank_text;

/// Distinct cited URLs, in order of their first appearance.
#[derive(Debug, Default)]
pub(crate) struct Citations {
    cited: Vec<Citation>,
    /// The index in `cited` by URL.
    index_by_url: HashMap<String, usize>,
    /// The cited pages in canonical form.
    pages: HashSet<String>,
    /// The hosts of which the provider does not tell the page.
    sites: HashSet<String>,
    /// The reported texts that are no address of a page.
    unresolved: HashSet<String>,
}

impl Citations {
    /// Adds a page that the provider reports. Ignores it if `url` is no text. If the URL is known, only sets
    /// a missing title.
    pub(crate) fn add(&mut self, url: &Value, title: &Value) {
        let Some(url) = non_blank_text(url) else {
            return;
        };
        let title = page_title(title);
        let known = self.index_by_url.get(url).copied();
        if let Some(cited) = known.and_then(|index| self.cited.get_mut(index)) {
            cited.title = cited.title.take().or(title);
            return;
        }
        let Some(page) = CanonicalUrl::parse(url) else {
            self.unresolved.insert(url.to_owned());
            return;
        };
        self.pages.insert(page.into());
        self.index_by_url.insert(url.to_owned(), self.cited.len());
        self.cited.push(Citation {
            url: url.to_owned(),
            title,
            kind: CitationKind::Reported,
        });
    }

    /// Adds a source of which the provider tells only the host.
    pub(crate) fn add_site(&mut self, host: &str) {
        self.sites.insert(host.to_owned());
        self.add(&format!("https://{host}").into(), &Value::Null);
    }

    /// Adds an https page that the text links to, unless it is known, or can be one of which the provider
    /// tells only the host.
    pub(crate) fn add_linked(&mut self, url: &str) {
        let is_https = url
            .get(..8)
            .is_some_and(|scheme| scheme.eq_ignore_ascii_case("https://"));
        let Some(page) = CanonicalUrl::parse(url).filter(|_| is_https) else {
            return;
        };
        if self.sites.contains(page.host()) || !self.pages.insert(page.into()) {
            return;
        }
        self.cited.push(Citation {
            url: url.to_owned(),
            title: None,
            kind: CitationKind::InText,
        });
    }

    /// Returns the citations, and the number of reported texts that are no address of a page.
    pub(crate) fn into_parts(self) -> (Vec<Citation>, u32) {
        (
            self.cited,
            u32::try_from(self.unresolved.len()).unwrap_or(u32::MAX), // A body has fewer.
        )
    }
}

/// Returns the title of a page in one line, with the characters that HTML entities stand for.
pub(crate) fn page_title(title: &Value) -> Option<String> {
    let title = html_escape::decode_html_entities(non_blank_text(title)?);
    let words: Vec<&str> = title.split_whitespace().collect();
    Some(words.join(" ")).filter(|title| !title.is_empty())
}
