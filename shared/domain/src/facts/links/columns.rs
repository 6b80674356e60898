//! A bucket of links as bytes.
//!
//! ```text
//! matrix    the prompts and models whose responses cite something of the bucket: its rows
//! domains   as `names` writes them
//! lengths   one varint per domain: the bytes of its links, so that a reader can pass over them
//! links     for each domain: the count of its URLs, then the URLs without scheme and domain, front-coded, then
//!           the count of each one's rows, then the rows, as distances
//! ```

use std::collections::BTreeMap;

use super::{BUCKET_BYTES, BUCKETS_MOST, LinkRow, Links, bucket_of, paths};
use crate::facts::citations::names;
use crate::facts::column::{Reader, Writer};
use crate::facts::frame::{BadSegment, Family, open, seal};
use crate::facts::front::Front;
use crate::facts::postings::{Postings, first_of_each, write_rows};
use crate::facts::{Matrix, Texts};

/// Each URL of a domain, stripped, and the indexes of the rows that cite it.
type Urls = BTreeMap<String, Vec<u32>>;
/// Each domain, by its key as `names` writes it, and its URLs.
type Domains<'a> = BTreeMap<(&'a str, &'a str), Urls>;

impl Links {
    /// The sealed buckets of these rows, whatever their order: a power of two of them, such that most have
    /// about 4 KB. Of several rows of one prompt and model the first counts.
    pub fn encode(rows: &[LinkRow]) -> Vec<Vec<u8>> {
        let rows = first_of_each(rows, |row| (row.prompt, row.model));
        let pairs: Vec<(u32, u32)> = rows.iter().map(|row| (row.prompt, row.model)).collect();
        let mut domains = Domains::new();
        for (index, row) in (0u32..).zip(&rows) {
            for url in &row.urls {
                let urls = domains.entry(names::key(url.registrable())).or_default();
                let cited = urls.entry(paths::strip(url)).or_default();
                if cited.last() != Some(&index) {
                    cited.push(index);
                }
            }
        }

        let all = bucket(&pairs, &domains);
        let buckets = all.len().div_ceil(BUCKET_BYTES).next_power_of_two();
        let buckets = buckets.min(BUCKETS_MOST);
        if buckets == 1 {
            return vec![all];
        }
        let mut split: Vec<Domains<'_>> = vec![Domains::new(); buckets];
        for ((ending, label), urls) in domains {
            if let Some(of) = split.get_mut(bucket_of(&[label, ending].concat(), buckets)) {
                of.insert((ending, label), urls);
            }
        }
        split.iter().map(|domains| bucket(&pairs, domains)).collect()
    }

    /// The links of these domains in a sealed bucket, their URLs numbered in `texts`; those of other domains
    /// are passed over. After an error `texts` may have texts that nothing names.
    pub fn decode(sealed: &[u8], domains: &[&str], texts: &mut Texts) -> Result<Self, BadSegment> {
        let payload = open(Family::Links, sealed)?;
        let mut reader = Reader::new(&payload);
        let mut postings = Postings::new(Matrix::read(&mut reader)?);
        let mut found = Vec::new();
        names::read(&mut reader, |domain| {
            found.push(domains.iter().copied().find(|wanted| *wanted == domain));
        })?;
        let lengths = found.iter().map(|_| reader.count());
        let lengths = lengths.collect::<Result<Vec<_>, _>>()?;
        for (domain, length) in found.into_iter().zip(lengths) {
            let links = reader.raw(length)?;
            if let Some(domain) = domain {
                read(domain, Reader::new(links), &mut postings, texts)?;
            }
        }
        reader.end()?;
        Ok(Self(postings))
    }
}

/// The sealed bucket of these domains. The URLs' rows are indexes into `pairs`; the bucket's own rows are those
/// of them that occur.
fn bucket(pairs: &[(u32, u32)], domains: &Domains<'_>) -> Vec<u8> {
    let mut occurs = vec![false; pairs.len()];
    for row in domains.values().flat_map(BTreeMap::values).flatten() {
        if let Some(occurs) = usize::try_from(*row).ok().and_then(|row| occurs.get_mut(row)) {
            *occurs = true;
        }
    }
    let mut pairs_here = Vec::new();
    let mut row_here = Vec::with_capacity(pairs.len());
    for (pair, occurs) in pairs.iter().zip(occurs) {
        row_here.push(u32::try_from(pairs_here.len()).unwrap_or(u32::MAX));
        if occurs {
            pairs_here.push(*pair);
        }
    }

    let mut writer = Writer::default();
    Matrix::new(&pairs_here).write(&mut writer);
    names::write(&domains.keys().copied().collect::<Vec<_>>(), &mut writer);
    let links: Vec<Vec<u8>> = domains.values().map(|urls| write(urls, &row_here)).collect();
    for links in &links {
        writer.count(links.len());
    }
    for links in &links {
        writer.raw(links);
    }
    seal(Family::Links, &writer.finish())
}

/// The links of one domain as bytes; `row_here` gives each row's index in the bucket.
fn write(urls: &Urls, row_here: &[u32]) -> Vec<u8> {
    let mut writer = Writer::default();
    let mut front = Front::default();
    writer.count(urls.len());
    for url in urls.keys() {
        front.write(url, &mut writer);
    }
    let here = |row: &u32| row_here.get(usize::try_from(*row).ok()?).copied();
    let rows = urls.values().map(|rows| rows.iter().filter_map(here).collect());
    write_rows(&rows.collect::<Vec<_>>(), &mut writer);
    writer.finish()
}

/// Reads the links of one domain.
fn read(
    domain: &str,
    mut reader: Reader<'_>,
    postings: &mut Postings,
    texts: &mut Texts,
) -> Result<(), BadSegment> {
    let mut front = Front::default();
    let mut url = String::new();
    let mut numbers = Vec::new();
    for _ in 0..reader.count()? {
        paths::restore(front.read(&mut reader)?, domain, &mut url);
        front.spend(domain.len())?;
        numbers.push(texts.number(&url));
    }
    postings.read(numbers, &mut reader)?;
    reader.end()
}

#[cfg(test)]
mod tests;
