//! The encoding of visibility segments.
//!
//! ```text
//! cells     the cell index: which prompts and models were asked
//! common    count (at most 255), then the outcomes that several cells have, the most frequent first
//! outcomes  one byte per cell: the index of a common outcome, or 255 for one of the rest
//! rest      the other outcomes in the order of their cells
//! versions  count, then the distinct versions of models as texts, ascending, then one byte per cell:
//!           0 if the version is not known, otherwise the number of the version, from 1.
//!           Absent if no version is known.
//! ```
//!
//! An outcome is the varint `3 × number of brands + state` (0 answered, 1 refused, 2 failed), then one varint
//! per brand.

use domain::family::Family;

use super::Visibility;
use super::model_versions::ModelVersions;
use super::outcome_bytes::{MAX_COMMON, OutcomeBytes};
use super::outcomes::{OutcomeTable, write_outcome};
use crate::codec::{CellIndex, ColumnReader, ColumnWriter, SegmentError, decode_segment, encode_segment};

impl Visibility {
    /// Encodes the cells. Equal cells give equal bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut writer = ColumnWriter::default();
        self.cell_index.write(&mut writer);
        let common = self.cells.common();
        writer.count(common);
        for outcome in self.outcomes.iter().take(common) {
            write_outcome(outcome, &mut writer);
        }
        writer.raw(self.cells.as_bytes());
        for outcome in self.outcomes.iter().skip(common) {
            write_outcome(outcome, &mut writer);
        }
        self.versions.write(&mut writer);
        encode_segment(Family::Visibility, &writer.finish())
    }

    /// Decodes a segment.
    pub fn decode(segment: &[u8]) -> Result<Self, SegmentError> {
        let columns = decode_segment(Family::Visibility, segment)?;
        let mut reader = ColumnReader::new(&columns);
        let cell_index = CellIndex::read(&mut reader)?;
        let count = cell_index.len();
        let common = reader.count()?;
        if common > MAX_COMMON {
            return Err(SegmentError::InvalidColumns);
        }
        let mut outcomes = OutcomeTable::with_capacity(common);
        for _ in 0..common {
            outcomes.read(&mut reader)?;
        }
        let cells = OutcomeBytes::new(common, reader.raw(count)?.to_vec());
        if !cells.are_in_table() {
            return Err(SegmentError::InvalidColumns);
        }
        let others = cells.count_others();
        outcomes.reserve(others.min(reader.remaining()));
        for _ in 0..others {
            outcomes.read(&mut reader)?;
        }
        let versions = ModelVersions::read(count, &mut reader)?;
        reader.expect_end()?;
        Ok(Self {
            cell_index,
            outcomes,
            cells,
            versions,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use domain::answer::ResponseState;
    use domain::ordinal::BrandOrdinal;
    use domain::ordinal_set::OrdinalSet;
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::super::VisibilityCell;
    use super::*;
    use crate::test_data;

    proptest! {
        #[test]
        fn a_segment_decodes_as_it_was_encoded(cells in test_data::cells()) {
            let segment = Visibility::new(cells);
            prop_assert_eq!(Visibility::decode(&segment.encode()), Ok(segment));
        }

        #[test]
        fn equal_cells_in_any_order_give_equal_bytes(
            (one, other) in test_data::cells()
                .prop_map(once_each)
                .prop_flat_map(|cells| (Just(cells.clone()), Just(cells).prop_shuffle())),
        ) {
            prop_assert_eq!(Visibility::new(one).encode(), Visibility::new(other).encode());
        }

        #[test]
        fn no_columns_make_decoding_panic(
            columns in vec(prop_oneof![9 => 0u8..5, 1 => any::<u8>()], 0..40), bytes in vec(any::<u8>(), 0..60),
        ) {
            let _ = Visibility::decode(&bytes);
            if let Ok(segment) = Visibility::decode(&encode_segment(Family::Visibility, &columns)) {
                prop_assert!(segment.cells().count() <= columns.len());
            }
        }
    }

    fn once_each(mut cells: Vec<VisibilityCell>) -> Vec<VisibilityCell> {
        let mut seen = BTreeSet::new();
        cells.retain(|cell| seen.insert((cell.prompt, cell.model)));
        cells
    }

    #[test]
    fn more_outcomes_than_a_byte_can_index_are_kept() {
        // 400 outcomes that occur twice, and 100 that occur once.
        let brand = |i: u32| BrandOrdinal::new(if i < 800 { i / 2 } else { i });
        let cells = (0..900u32).map(|i| VisibilityCell {
            prompt: i.into(),
            model: 0.into(),
            state: ResponseState::Answered,
            brands: vec![brand(i), 5_000.into()],
            model_version: None,
        });
        let segment = Visibility::new(cells.collect());
        let decoded = Visibility::decode(&segment.encode()).unwrap();
        assert_eq!(decoded, segment);
        let brands: Vec<BrandOrdinal> = decoded.cells().map(|cell| cell.brands[0]).collect();
        assert_eq!(brands, (0..900).map(brand).collect::<Vec<_>>());
    }

    #[test]
    fn every_changed_bit_and_every_missing_end_is_an_error() {
        for segment in [
            Visibility::default().encode(),
            Visibility::new(test_data::check(3, 2, 1)).encode(),
            Visibility::new(test_data::check(40, 5, 1)).encode(),
        ] {
            for at in 0..segment.len() {
                assert!(Visibility::decode(&segment[..at]).is_err(), "{at} bytes");
                for bit in 0..8 {
                    let mut changed = segment.clone();
                    changed[at] ^= 1 << bit;
                    assert!(Visibility::decode(&changed).is_err(), "byte {at}, bit {bit}");
                }
            }
        }
    }

    #[test]
    fn contradictory_columns_are_an_error() {
        let decoded = |columns: &[u8]| Visibility::decode(&encode_segment(Family::Visibility, columns));
        // One prompt (0), one set (model 0), the prompt has it, one common outcome (answered), its cell.
        assert_eq!(
            decoded(&[1, 0, 1, 1, 0, 0, 1, 0, 0]).map(|s| s.cells().count()),
            Ok(1)
        );
        for columns in [
            &[1, 0, 1, 1, 0, 1, 1, 0, 0][..],               // a missing set
            &[1, 0, 1, 0, 0, 1, 0],                         // a prompt without models
            &[1, 0, 1, 1, 0, 0, 1, 0, 1],                   // a missing outcome
            &[1, 0, 1, 1, 0, 0, 1, 0, 255],                 // a missing other outcome
            &[1, 0, 1, 1, 0, 0, 1, 0],                      // no cell
            &[1, 0, 1, 1, 0, 0, 1, 0, 0, 0],                // no versions
            &[1, 0, 1, 1, 0, 0, 1, 0, 0, 1, 1, b'a'],       // no number of the version
            &[1, 0, 1, 1, 0, 0, 1, 0, 0, 1, 1, b'a', 2],    // a missing version
            &[1, 0, 1, 1, 0, 0, 1, 0, 0, 1, 1, b'a', 1, 0], // bytes left over
        ] {
            assert_eq!(decoded(columns), Err(SegmentError::InvalidColumns), "{columns:?}");
        }
    }

    #[test]
    fn more_cells_than_bytes_are_an_error() {
        // 50,000 prompts that all have the same 50,000 models, and no cells.
        let mut writer = ColumnWriter::default();
        let many: OrdinalSet<u32> = (0..50_000).collect();
        writer.ordinals(&many);
        writer.count(1);
        writer.ordinals(&many);
        writer.raw(&[0; 50_000]);
        writer.count(0);
        let segment = encode_segment(Family::Visibility, &writer.finish());
        assert_eq!(Visibility::decode(&segment), Err(SegmentError::InvalidColumns));
    }

    #[test]
    fn a_day_of_a_thousand_answers_takes_about_a_kilobyte() {
        for seed in 1..=5 {
            let cells = test_data::check(200, 5, seed);
            let distinct: BTreeSet<_> = cells.iter().map(|cell| cell.brands.clone()).collect();
            let size = Visibility::new(cells).encode().len();
            // The sample has at least a hundred different answers.
            assert!(distinct.len() >= 100, "{}", distinct.len());
            assert!(size <= 1_500, "{size} bytes");
        }
    }
}
