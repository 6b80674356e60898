//! The citations family: the domains that each answered response of a check cites.

mod encoding;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use domain::cell::Cell;
use domain::ordinal::{ModelOrdinal, PromptOrdinal};

use super::links::LinkRow;
use super::postings::{CitationCounts, CitedText, CitingResponse, CitingRows, Postings};
use crate::codec::{Selection, StringId, TextList};

/// The domains that one response cites.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CitationRow {
    pub prompt: PromptOrdinal,
    pub model: ModelOrdinal,
    /// Registrable domains, each with the number of its distinct canonical URLs that the response cites.
    ///
    /// The numbers of a repeated domain add up. A domain with 0 URLs is left out.
    pub domains: Vec<(String, u32)>,
}

/// The domains that the responses of one check cite.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Citations(Postings);

/// Citations whose domains have no ids yet.
#[derive(Debug, Clone)]
pub(crate) struct DecodedCitations {
    domains: TextList,
    citing: Arc<CitingRows>,
}

impl CitationRow {
    fn cell(&self) -> Cell {
        Cell {
            prompt: self.prompt,
            model: self.model,
        }
    }
}

impl From<&LinkRow> for CitationRow {
    fn from(row: &LinkRow) -> Self {
        let mut domains: BTreeMap<&str, u32> = BTreeMap::new();
        for url in row.urls.iter().collect::<BTreeSet<_>>() {
            *domains.entry(url.registrable()).or_default() += 1;
        }
        Self {
            prompt: row.prompt,
            model: row.model,
            domains: domains
                .into_iter()
                .map(|(domain, count)| (domain.to_owned(), count))
                .collect(),
        }
    }
}

impl Citations {
    /// Returns each cited domain's id with its number of citations in the selected responses, which can be 0.
    pub fn counts<'a>(&'a self, selection: &Selection) -> impl Iterator<Item = CitedText> + use<'a> {
        self.0.counts(selection)
    }

    /// Returns the counts of [`Citations::counts`] for the `wanted` domains only.
    pub fn counts_of<'a, W: Fn(StringId) -> bool>(
        &'a self,
        selection: &Selection,
        wanted: W,
    ) -> impl Iterator<Item = CitedText> + use<'a, W> {
        self.0.counts_of(selection, wanted)
    }

    /// Returns one entry per selected response and `wanted` domain that it cites.
    pub fn citing(&self, selection: &Selection, wanted: impl Fn(StringId) -> bool) -> Vec<CitingResponse> {
        self.0.citing(selection, wanted)
    }

    /// Returns the number of citations of each selected response, and of those of the `wanted` domains, by
    /// prompt, then model. Responses without citations are left out.
    pub fn count_by_response(
        &self,
        selection: &Selection,
        wanted: impl Fn(StringId) -> bool,
    ) -> Vec<(Cell, CitationCounts)> {
        self.0.count_by_response(selection, wanted)
    }
}

#[cfg(test)]
mod tests {
    use domain::answer::{Citation, ResponseState};
    use domain::check::Response;
    use domain::citation::CanonicalUrl;
    use domain::time::Timestamp;

    use super::*;
    use crate::families::distinct_cited_urls;

    fn response(state: ResponseState, urls: &[&str]) -> Response {
        let citations = urls.iter().map(|url| Citation {
            url: (*url).to_owned(),
            title: None,
            ..Default::default()
        });
        Response {
            state,
            citations: citations.collect(),
            ..Response::failed(3.into(), 1.into(), "", Timestamp::from_millis(0))
        }
    }

    #[test]
    fn a_response_cites_each_canonical_url_once_and_only_http() {
        let answered = response(
            ResponseState::Answered,
            &[
                "http://www.b.com/x/?utm_source=openai",
                "https://a.com/y",
                "ftp://a.com/z",
                "https://b.com/x#part",
                "https://docs.b.com/",
                "no URL",
            ],
        );
        let row = LinkRow::from_response(&answered);
        let urls: Vec<&str> = row.urls.iter().map(CanonicalUrl::as_str).collect();
        assert_eq!(urls, ["https://b.com/x", "https://a.com/y", "https://docs.b.com"]);
        let expected = CitationRow {
            prompt: 3.into(),
            model: 1.into(),
            domains: vec![("a.com".to_owned(), 1), ("b.com".to_owned(), 2)],
        };
        assert_eq!(CitationRow::from(&row), expected);
    }

    #[test]
    fn only_an_answered_response_cites() {
        for state in [ResponseState::Refused, ResponseState::Failed] {
            assert_eq!(distinct_cited_urls(&response(state, &["https://a.com"])), []);
        }
    }
}
