//! A column of domains, grouped by what follows their first label, because many domains have the same ending.
//!
//! ```text
//! endings   count, then for each ending: the ending, front-coded, and how many domains have it
//!           (`.com`, `.co.uk`; empty for a name without a dot)
//! labels    the first label of each domain, front-coded
//! ```

use super::columns::{ColumnReader, ColumnWriter};
use super::error::SegmentError;
use super::front_coding::{InterleavedReader, InterleavedWriter};

/// A domain, split after its first label. The order of keys is the order in which domains are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::facts) struct DomainKey<'a> {
    /// The rest after the first label, including the dot.
    pub(in crate::facts) ending: &'a str,
    pub(in crate::facts) label: &'a str,
}

impl<'a> DomainKey<'a> {
    pub(in crate::facts) fn new(domain: &'a str) -> Self {
        let (label, ending) = domain.split_at(domain.find('.').unwrap_or(domain.len()));
        Self { ending, label }
    }

    pub(in crate::facts) fn domain(self) -> String {
        [self.label, self.ending].concat()
    }
}

/// Writes domains, which must be in the order of their keys.
pub(in crate::facts) fn write_domain_names(keys: &[DomainKey<'_>], writer: &mut ColumnWriter) {
    debug_assert!(keys.is_sorted());
    let groups: Vec<_> = keys.chunk_by(|a, b| a.ending == b.ending).collect();
    writer.count(groups.len());
    let mut front = InterleavedWriter::default();
    for group in &groups {
        front.write(group.first().map_or("", |key| key.ending), writer);
        writer.count(group.len());
    }
    front.restart();
    for key in keys {
        front.write(key.label, writer);
    }
}

/// Reads domains and passes each of them to `visit`.
pub(in crate::facts) fn read_domain_names(
    reader: &mut ColumnReader<'_>,
    mut visit: impl FnMut(&str),
) -> Result<(), SegmentError> {
    let mut front = InterleavedReader::default();
    let mut endings: Vec<(String, u64)> = Vec::new();
    for _ in 0..reader.count()? {
        endings.push((front.read(reader)?.to_owned(), reader.varint()?));
    }
    front.restart();
    let mut domain = String::new();
    for (ending, labels) in endings {
        for _ in 0..labels {
            domain.clear();
            domain.push_str(front.read(reader)?);
            domain.push_str(&ending);
            front.claim(ending.len())?;
            visit(&domain);
        }
    }
    Ok(())
}
