//! Domains as bytes, by what follows their first label: most of them end alike.
//!
//! ```text
//! endings   count, then each ending front-coded (`.com`, `.co.uk`; empty where there is no dot) and how many
//!           domains have it
//! labels    what precedes the ending, front-coded
//! ```

use crate::facts::column::{Reader, Writer};
use crate::facts::frame::BadSegment;
use crate::facts::front::Front;

/// A domain's ending and what precedes it: the order in which domains are written.
pub(in crate::facts) fn key(domain: &str) -> (&str, &str) {
    let (label, ending) = domain.split_at(domain.find('.').unwrap_or(domain.len()));
    (ending, label)
}

/// Writes domains, given as their keys in ascending order.
pub(in crate::facts) fn write(keys: &[(&str, &str)], writer: &mut Writer) {
    debug_assert!(keys.is_sorted());
    let groups: Vec<_> = keys.chunk_by(|a, b| a.0 == b.0).collect();
    writer.count(groups.len());
    let mut front = Front::default();
    for group in &groups {
        front.write(group.first().map_or("", |key| key.0), writer);
        writer.count(group.len());
    }
    front.restart();
    for (_, label) in keys {
        front.write(label, writer);
    }
}

/// Gives each domain to `each`.
pub(in crate::facts) fn read(reader: &mut Reader<'_>, mut each: impl FnMut(&str)) -> Result<(), BadSegment> {
    let mut front = Front::default();
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
            front.spend(ending.len())?;
            each(&domain);
        }
    }
    Ok(())
}
