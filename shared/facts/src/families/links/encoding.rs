//! The encoding of links segments. Each segment is one bucket.
//!
//! ```text
//! cells     the cell index: which prompts and models have a response that cites a URL of the bucket
//! domains   the cited domains, sorted
//! lengths   one varint per domain: the number of bytes of its links, so that a reader can skip them
//! links     for each domain: its URLs, sorted, then the number of rows that cite each URL, then these rows,
//!           ascending, as gaps
//! ```

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::cell::Cell;
use domain::citation::CanonicalUrl;
use domain::family::Family;
use domain::number::to_u32;

use super::{BUCKET_BYTES, LinkRow, Links, MAX_BUCKETS, bucket_of};
use crate::codec::{
    CellIndex, ColumnReader, ColumnWriter, SegmentError, StringInterner, decode_segment, encode_segment,
};
use crate::families::postings::{CitingRows, Postings, write_postings};
use crate::families::rows::first_of_each_cell;

/// The scheme of all canonical URLs.
const SCHEME: &str = "https://";
/// What stands for the domain in a stored URL. No host contains it.
const DOMAIN: &str = "|";

/// The URLs of a domain, [`shortened`], with the indexes of the rows that cite each of them.
type Urls = BTreeMap<String, Vec<u32>>;
/// The cited domains with their URLs.
type Domains<'a> = BTreeMap<&'a str, Urls>;

impl Links {
    /// Encodes rows in any order as one segment per bucket. Of several rows for one prompt and model it keeps
    /// the first.
    ///
    /// The number of buckets is a power of two, chosen so that most buckets have about 4 KB.
    pub fn encode(rows: &[LinkRow]) -> Vec<Vec<u8>> {
        let rows = first_of_each_cell(rows, LinkRow::cell);
        let cells: Vec<Cell> = rows.iter().map(|row| row.cell()).collect();
        let mut domains = Domains::new();
        for (index, row) in (0u32..).zip(&rows) {
            for url in &row.urls {
                let urls = domains.entry(url.registrable()).or_default();
                let cited = urls.entry(shortened(url)).or_default();
                if cited.last() != Some(&index) {
                    cited.push(index);
                }
            }
        }

        let all = encode_bucket(&cells, &domains);
        let buckets = all.len().div_ceil(BUCKET_BYTES).next_power_of_two();
        let buckets = buckets.min(MAX_BUCKETS);
        if buckets == 1 {
            return vec![all];
        }
        let mut split: Vec<Domains<'_>> = vec![Domains::new(); buckets];
        for (domain, urls) in domains {
            if let Some(bucket) = split.get_mut(bucket_of(domain, buckets)) {
                bucket.insert(domain, urls);
            }
        }
        split
            .iter()
            .map(|domains| encode_bucket(&cells, domains))
            .collect()
    }

    /// Decodes the links of these domains from a bucket and skips the links of other domains.
    ///
    /// The URLs are interned in `texts`, where they remain even if decoding fails later.
    pub fn decode(
        segment: &[u8],
        domains: &[&str],
        texts: &mut StringInterner,
    ) -> Result<Self, SegmentError> {
        Self::from_columns(&decode_segment(Family::Links, segment)?, domains, texts)
    }

    /// Decodes the links of these domains from the columns of a bucket, as [`Links::decode`] does.
    pub(crate) fn from_columns(
        columns: &[u8],
        domains: &[&str],
        texts: &mut StringInterner,
    ) -> Result<Self, SegmentError> {
        let mut reader = ColumnReader::new(columns);
        let mut citing = CitingRows::new(CellIndex::read(&mut reader)?);
        let mut ids = Vec::new();
        let stored = reader.texts()?;
        let lengths = stored.iter().map(|_| reader.count());
        let lengths = lengths.collect::<Result<Vec<_>, _>>()?;
        for (domain, length) in stored.iter().zip(lengths) {
            let links = reader.raw(length)?;
            if domains.contains(&domain) {
                let mut links = ColumnReader::new(links);
                let urls = links.texts()?;
                ids.extend(urls.iter().map(|url| texts.intern(&restored(url, domain))));
                citing.read(urls.len(), &mut links)?;
                links.expect_end()?;
            }
        }
        reader.expect_end()?;
        Ok(Self(Postings::new(ids, Arc::new(citing))))
    }
}

/// Returns a URL without its scheme and with [`DOMAIN`] in the place of its registrable domain.
fn shortened(url: &CanonicalUrl) -> String {
    let text = url.as_str();
    let text = text.strip_prefix(SCHEME).unwrap_or(text);
    text.replacen(url.registrable(), DOMAIN, 1)
}

/// Returns the URL of a domain from what [`shortened`] returns of it.
fn restored(text: &str, domain: &str) -> String {
    [SCHEME, &text.replacen(DOMAIN, domain, 1)].concat()
}

/// Encodes a bucket of these domains. The rows of the URLs are indexes into `cells`.
///
/// The cell index of the bucket contains only the cells that cite one of its URLs.
fn encode_bucket(cells: &[Cell], domains: &Domains<'_>) -> Vec<u8> {
    let mut occurs = vec![false; cells.len()];
    for row in domains.values().flat_map(BTreeMap::values).flatten() {
        if let Some(occurs) = usize::try_from(*row).ok().and_then(|row| occurs.get_mut(row)) {
            *occurs = true;
        }
    }
    let mut cells_here = Vec::new();
    let mut row_here = Vec::with_capacity(cells.len());
    for (cell, occurs) in cells.iter().zip(occurs) {
        row_here.push(to_u32(cells_here.len()));
        if occurs {
            cells_here.push(*cell);
        }
    }

    let mut writer = ColumnWriter::default();
    CellIndex::new(&cells_here).write(&mut writer);
    writer.texts(domains.keys().copied());
    let links: Vec<Vec<u8>> = domains
        .values()
        .map(|urls| encode_urls(urls, &row_here))
        .collect();
    for links in &links {
        writer.count(links.len());
    }
    for links in &links {
        writer.raw(links);
    }
    encode_segment(Family::Links, &writer.finish())
}

/// Encodes the links of one domain. `row_here` maps each row to its index in the bucket.
fn encode_urls(urls: &Urls, row_here: &[u32]) -> Vec<u8> {
    let mut writer = ColumnWriter::default();
    writer.texts(urls.keys().map(String::as_str));
    let here = |row: &u32| row_here.get(usize::try_from(*row).ok()?).copied();
    let rows = urls.values().map(|rows| rows.iter().filter_map(here).collect());
    write_postings(&rows.collect::<Vec<_>>(), &mut writer);
    writer.finish()
}

#[cfg(test)]
mod tests;
