//! A fanouts segment as bytes.
//!
//! ```text
//! matrix      which prompts and models ran searches
//! instants    when each row was answered
//! counts      one varint per row: how many searches it ran, at least 1
//! dictionary  the distinct spellings, sorted
//! folds       count, then for each spelling whose folded form is more than its ASCII letters in lower case: how
//!             far it is from the spelling that could be next, and the folded form
//! sets        for each prompt the set of spellings that its rows ran
//! searches    one varint per search, by prompt, then model, in order: which of its prompt's set
//! ```
//! Models tend to run the same searches for one prompt, so that places in its own set are small numbers.

use std::collections::BTreeMap;

use super::spelling::{folded, spelling};
use super::{FanoutRow, Fanouts, dictionary};
use crate::facts::column::{Reader, Writer};
use crate::facts::frame::{BadSegment, Family, open, seal};
use crate::facts::{Matrix, Ordinals, Texts, instants};
use crate::time::Timestamp;

impl Fanouts {
    /// The sealed segment of these rows, whatever their order: equal rows give equal bytes. Of several rows of
    /// one prompt and model the first counts. Blank queries are dropped, and rows without any other.
    pub fn encode(mut rows: Vec<FanoutRow>) -> Vec<u8> {
        rows.sort_by_key(|row| (row.prompt, row.model));
        rows.dedup_by_key(|row| (row.prompt, row.model));
        for row in &mut rows {
            for query in &mut row.queries {
                *query = spelling(query);
            }
            row.queries.retain(|query| !query.is_empty());
        }
        rows.retain(|row| !row.queries.is_empty());

        let mut writer = Writer::default();
        let pairs: Vec<(u32, u32)> = rows.iter().map(|row| (row.prompt, row.model)).collect();
        Matrix::new(&pairs).write(&mut writer);
        let answered_at: Vec<Timestamp> = rows.iter().map(|row| row.answered_at).collect();
        instants::write(&answered_at, &mut writer);
        for row in &rows {
            writer.count(row.queries.len());
        }
        let spellings = write_spellings(&rows, &mut writer);
        write_searches(&rows, &spellings, &mut writer);
        seal(Family::Fanouts, &writer.finish())
    }

    /// The rows of a sealed segment, as [`Fanouts::encode`] gives it. Its spellings and their folded forms get
    /// numbers of `texts`, which may have new texts also where the segment turns out to be a bad one.
    pub fn decode(sealed: &[u8], texts: &mut Texts) -> Result<Self, BadSegment> {
        let payload = open(Family::Fanouts, sealed)?;
        let mut reader = Reader::new(&payload);
        let mut new = Self {
            matrix: Matrix::read(&mut reader)?,
            ..Self::default()
        };
        let rows = new.matrix.len();
        new.answered_at = instants::read(&mut reader, rows)?;
        let mut end = 0usize;
        for _ in 0..rows {
            let count = usize::try_from(reader.varint()?).unwrap_or(usize::MAX);
            if count == 0 {
                return Err(BadSegment::Columns);
            }
            end = end.saturating_add(count);
            new.ends.push(end);
        }
        let spellings = read_spellings(&mut reader, texts)?;
        new.read_searches(&mut reader, &spellings)?;
        reader.end()?;
        Ok(new)
    }

    fn read_searches(&mut self, reader: &mut Reader<'_>, spellings: &[Numbers]) -> Result<(), BadSegment> {
        let mut sets = Vec::with_capacity(self.ends.len().min(reader.left()));
        for _ in self.matrix.prompts() {
            sets.push(reader.ordinals()?);
        }
        let searches = self.ends.last().copied().unwrap_or_default();
        if searches > reader.left() {
            return Err(BadSegment::Columns);
        }
        self.spelled.reserve_exact(searches);
        self.folded.reserve_exact(searches);
        let mut ends = self.ends.iter();
        for ((_, models), set) in self.matrix.prompts().zip(&sets) {
            // Where the searches of the prompt's last row end.
            let rows = self.matrix.sets().get(models).map_or(0, Ordinals::len);
            let Some(end) = rows.checked_sub(1).and_then(|last| ends.nth(last)) else {
                return Err(BadSegment::Columns);
            };
            while self.spelled.len() < *end {
                let place = usize::try_from(reader.varint()?).unwrap_or(usize::MAX);
                let spelling = set.as_slice().get(place).and_then(|s| usize::try_from(*s).ok());
                let numbers = spelling.and_then(|spelling| spellings.get(spelling));
                let numbers = numbers.ok_or(BadSegment::Columns)?;
                self.spelled.push(numbers.spelled);
                self.folded.push(numbers.folded);
            }
        }
        Ok(())
    }
}

/// The distinct spellings of the rows, each with its place in the dictionary.
fn write_spellings<'a>(rows: &'a [FanoutRow], writer: &mut Writer) -> BTreeMap<&'a str, u32> {
    let queries = rows.iter().flat_map(|row| &row.queries);
    let mut spellings: BTreeMap<&str, u32> = queries.map(|query| (query.as_str(), 0)).collect();
    for (place, spelling) in (0..).zip(spellings.values_mut()) {
        *spelling = place;
    }
    let texts: Vec<&str> = spellings.keys().copied().collect();
    dictionary::write(&texts, writer);

    let folds: Vec<(u32, String)> = spellings
        .iter()
        .map(|(text, place)| (*place, *text, folded(text)))
        .filter(|(_, text, folded)| text.to_ascii_lowercase() != *folded)
        .map(|(place, _, folded)| (place, folded))
        .collect();
    writer.count(folds.len());
    let mut next = 0;
    for (place, folded) in &folds {
        writer.varint(u64::from(place - next));
        writer.text(folded);
        next = place + 1;
    }
    spellings
}

fn write_searches(rows: &[FanoutRow], spellings: &BTreeMap<&str, u32>, writer: &mut Writer) {
    let place = |query: &String| spellings.get(query.as_str()).copied();
    let prompts = || rows.chunk_by(|a, b| a.prompt == b.prompt);
    let set = |rows: &[FanoutRow]| -> Ordinals {
        let queries = rows.iter().flat_map(|row| &row.queries);
        queries.filter_map(place).collect()
    };
    let sets: Vec<Ordinals> = prompts().map(set).collect();
    for set in &sets {
        writer.ordinals(set);
    }
    for (rows, set) in prompts().zip(&sets) {
        for spelling in rows.iter().flat_map(|row| &row.queries).filter_map(place) {
            writer.count(set.as_slice().partition_point(|other| *other < spelling));
        }
    }
}

/// A spelling's number and that of its folded form.
struct Numbers {
    spelled: u32,
    folded: u32,
}

fn read_spellings(reader: &mut Reader<'_>, texts: &mut Texts) -> Result<Vec<Numbers>, BadSegment> {
    let dictionary = dictionary::read(reader)?;
    let mut numbers = Vec::new();
    for spelled in texts.number_all(dictionary.iter()) {
        let folded = texts.lower_case(spelled);
        numbers.push(Numbers { spelled, folded });
    }
    let mut next = 0usize;
    for _ in 0..reader.count()? {
        let skipped = usize::try_from(reader.varint()?).unwrap_or(usize::MAX);
        let place = next.saturating_add(skipped);
        numbers.get_mut(place).ok_or(BadSegment::Columns)?.folded = texts.number(reader.text()?);
        next = place + 1;
    }
    Ok(numbers)
}
