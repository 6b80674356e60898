//! The links family: the URLs that each answered response of a check cites, in buckets by domain, so that the
//! URLs of one domain are a small read.

mod encoding;
mod url_suffix;

use super::cited_urls::distinct_cited_urls;
use super::postings::Postings;
use crate::check::Response;
use crate::citation::CanonicalUrl;
use crate::facts::codec::{Cell, Selection};

/// The most buckets that a check's links are put into.
const MAX_BUCKETS: usize = 64;
/// About what a usual sealed bucket holds, in bytes: what one read unit reads twice.
const BUCKET_BYTES: usize = 4_096;

/// The URLs that one response cites.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkRow {
    pub prompt: u32,
    pub model: u32,
    /// Each counts once, however often it is there.
    pub urls: Vec<CanonicalUrl>,
}

/// The citations of some domains' URLs, of one bucket.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Links(Postings);

impl LinkRow {
    fn cell(&self) -> Cell {
        Cell {
            prompt: self.prompt,
            model: self.model,
        }
    }

    /// What a recorded response cites, for both families: nothing unless it is answered.
    pub fn of(response: &Response) -> Self {
        Self {
            prompt: response.prompt,
            model: response.model,
            urls: distinct_cited_urls(response),
        }
    }
}

/// Which of so many buckets holds the links of a (registrable) domain: its CRC-32 (IEEE) modulo their number.
/// Segments rely on it for as long as they are kept.
pub fn bucket_of(domain: &str, buckets: usize) -> usize {
    usize::try_from(crc32fast::hash(domain.as_bytes()))
        .ok()
        .and_then(|hash| hash.checked_rem(buckets))
        .unwrap_or_default()
}

impl Links {
    /// Each URL's number and how many of the selected responses cite it, 0 included.
    pub fn counts<'a>(&'a self, selection: &Selection) -> impl Iterator<Item = (u32, u64)> + use<'a> {
        self.0.counts(selection)
    }

    /// Bytes of memory, about.
    pub fn bytes(&self) -> usize {
        self.0.bytes()
    }
}
