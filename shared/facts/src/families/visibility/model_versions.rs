//! The versions of the models that gave the responses of a check.

use std::collections::BTreeMap;

use crate::codec::{ColumnReader, ColumnWriter, SegmentError};

/// The number of a response whose version is not known.
const UNKNOWN: u8 = 0;

/// The version of the model of each response, as far as the provider reports it. Both lists are empty if no
/// version is known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct ModelVersions {
    /// The distinct versions, ascending.
    texts: Vec<String>,
    /// One per cell: 0 if the version is not known, otherwise the index of the text + 1.
    numbers: Vec<u8>,
}

impl ModelVersions {
    /// Collects the versions of all cells, by prompt, then model. Of more than 255 distinct versions, those
    /// after the 255th are not known.
    pub(super) fn new<'a>(of_cells: impl Iterator<Item = Option<&'a str>> + Clone) -> Self {
        let mut known: BTreeMap<&str, u8> = of_cells.clone().flatten().map(|text| (text, UNKNOWN)).collect();
        if known.is_empty() {
            return Self::default();
        }
        for (number, of_text) in (1..=u8::MAX).zip(known.values_mut()) {
            *of_text = number;
        }
        let number = |text: Option<&str>| text.and_then(|text| known.get(text)).copied();
        Self {
            numbers: of_cells.map(|text| number(text).unwrap_or(UNKNOWN)).collect(),
            texts: known
                .iter()
                .filter(|(_, number)| **number != UNKNOWN)
                .map(|(text, _)| (*text).to_owned())
                .collect(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Returns the version of a cell.
    pub(super) fn of_cell(&self, index: usize) -> Option<&str> {
        let number = self.numbers.get(index)?.checked_sub(1)?;
        self.texts.get(usize::from(number)).map(String::as_str)
    }

    /// Writes the number of versions, their texts and one byte per cell. Writes nothing if no version is
    /// known.
    pub(super) fn write(&self, writer: &mut ColumnWriter) {
        if self.texts.is_empty() {
            return;
        }
        writer.count(self.texts.len());
        for text in &self.texts {
            writer.text(text);
        }
        writer.raw(&self.numbers);
    }

    /// Reads the versions of `cells` cells, if there are any.
    pub(super) fn read(cells: usize, reader: &mut ColumnReader<'_>) -> Result<Self, SegmentError> {
        if reader.remaining() == 0 {
            return Ok(Self::default());
        }
        let count = reader.count()?;
        let texts: Vec<String> = (0..count)
            .map(|_| reader.text().map(str::to_owned))
            .collect::<Result<_, _>>()?;
        let numbers = reader.raw(cells)?.to_vec();
        let is_known = |number: &u8| usize::from(*number) <= texts.len();
        if texts.is_empty() || !texts.is_sorted_by(|a, b| a < b) || !numbers.iter().all(is_known) {
            return Err(SegmentError::InvalidColumns);
        }
        Ok(Self { texts, numbers })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_more_than_255_versions_those_after_the_255th_are_not_known() {
        let texts: Vec<String> = (0..300).map(|n| format!("v{n:03}")).collect();
        let versions = ModelVersions::new(texts.iter().map(|text| Some(text.as_str())));
        let known = (0..300).filter_map(|cell| versions.of_cell(cell));
        assert!(known.eq(&texts[..255]));
    }
}
