//! The links family: the URLs that each answered response of a check cites.
//!
//! The links of a check are split into buckets by domain, so that the URLs of one domain can be read without
//! the others.

mod encoding;

use domain::cell::Cell;
use domain::check::Response;
use domain::citation::CanonicalUrl;
use domain::number::to_usize;
use domain::ordinal::{ModelOrdinal, PromptOrdinal};

use super::cited_urls::distinct_cited_urls;
use super::postings::{CitedText, Postings};
use crate::codec::Selection;

/// The maximum number of buckets for the links of a check.
const MAX_BUCKETS: usize = 64;
/// The intended size of an encoded bucket in bytes. One read unit pays for two eventually consistent reads of
/// it.
const BUCKET_BYTES: usize = 4_096;

/// The URLs that one response cites.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkRow {
    pub prompt: PromptOrdinal,
    pub model: ModelOrdinal,
    /// The cited URLs. A repeated URL counts once.
    pub urls: Vec<CanonicalUrl>,
}

/// The citations of some domains' URLs in one bucket.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Links(Postings);

impl LinkRow {
    fn cell(&self) -> Cell {
        Cell {
            prompt: self.prompt,
            model: self.model,
        }
    }

    /// Returns the row of a recorded response. Its URLs are empty unless the response is answered.
    pub fn from_response(response: &Response) -> Self {
        Self {
            prompt: response.prompt,
            model: response.model,
            urls: distinct_cited_urls(response),
        }
    }
}

/// Returns the index of the bucket that holds the links of a registrable domain: its CRC-32 (IEEE) modulo
/// `buckets`.
///
/// Stored segments depend on this function, so it never changes.
pub fn bucket_of(domain: &str, buckets: usize) -> usize {
    let hash = to_usize(crc32fast::hash(domain.as_bytes()));
    hash.checked_rem(buckets).unwrap_or(0) // an index entry that no version writes can name no bucket
}

impl Links {
    /// Returns each URL's id with the number of selected responses that cite it, which can be 0.
    pub fn counts<'a>(&'a self, selection: &Selection) -> impl Iterator<Item = CitedText> + use<'a> {
        self.0.counts(selection)
    }

    /// Adds the URLs that the selected responses cite to `counts`, which is indexed by prompt ordinal. A URL
    /// counts once per response.
    ///
    /// Prompts beyond the end of `counts` are not counted.
    pub fn count_by_prompt(&self, selection: &Selection, counts: &mut [u64]) {
        for citing in self.0.citing(selection, |_| true) {
            if let Some(count) = counts.get_mut(citing.prompt.index()) {
                *count += 1;
            }
        }
    }
}
