//! The distinct URLs that a response cites, for the citations, links and responses families.

use std::collections::BTreeSet;

use domain::answer::ResponseState;
use domain::check::Response;
use domain::citation::CanonicalUrl;

/// Returns the distinct canonical URLs that a response cites, in order of first appearance.
///
/// A response that is not answered cites nothing. URLs that are not http(s) are left out.
pub fn distinct_cited_urls(response: &Response) -> Vec<CanonicalUrl> {
    if response.state != ResponseState::Answered {
        return Vec::new();
    }
    let mut seen = BTreeSet::new();
    let urls = response
        .citations
        .iter()
        .filter_map(|cited| CanonicalUrl::parse(&cited.url));
    urls.filter(|url| seen.insert(url.clone())).collect()
}
