//! A column of timestamps in milliseconds since 1970.
//!
//! ```text
//! earliest  signed: the earliest timestamp
//! width     varint: the number of bytes per timestamp, 0 to 8
//! planes    the lowest byte of each timestamp's distance from the earliest, then the next byte of
//!           each, and so on
//! ```
//!
//! The planes of the high bytes compress to almost nothing. The low bytes are random and do not compress in
//! any order.

use domain::time::Timestamp;

use super::columns::{ColumnReader, ColumnWriter};
use super::error::SegmentError;

/// Writes timestamps without their number, which the reader must know.
pub(crate) fn write_timestamps(timestamps: &[Timestamp], writer: &mut ColumnWriter) {
    let earliest = timestamps.iter().min().map_or(0, |earliest| earliest.as_millis());
    let distances: Vec<u64> = timestamps
        .iter()
        .map(|timestamp| timestamp.as_millis().wrapping_sub(earliest).cast_unsigned())
        .collect();
    let max = distances.iter().copied().fold(0, u64::max);
    let width = (u64::BITS - max.leading_zeros()).div_ceil(8);
    writer.signed(earliest);
    writer.varint(width.into());
    for plane in 0..width {
        for distance in &distances {
            writer.byte((distance >> (8 * plane)).to_le_bytes()[0]);
        }
    }
}

/// Reads `count` timestamps. The caller must check first that `count` does not exceed the number of bytes
/// left.
pub(crate) fn read_timestamps(
    reader: &mut ColumnReader<'_>,
    count: usize,
) -> Result<Vec<Timestamp>, SegmentError> {
    let earliest = reader.signed()?;
    let width = reader.ordinal()?;
    if width > 8 {
        return Err(SegmentError::InvalidColumns);
    }
    let mut distances = vec![0i64; count];
    for plane in 0..width {
        for (distance, byte) in distances.iter_mut().zip(reader.raw(count)?) {
            *distance |= i64::from(*byte) << (8 * plane);
        }
    }
    let timestamp = |distance: i64| Timestamp::from_millis(earliest.wrapping_add(distance));
    Ok(distances.into_iter().map(timestamp).collect())
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn written(instants: &[Timestamp]) -> Vec<u8> {
        let mut writer = ColumnWriter::default();
        write_timestamps(instants, &mut writer);
        writer.finish()
    }

    proptest! {
        #[test]
        fn timestamps_are_read_as_they_were_written(
            instants in vec(prop_oneof![(0i64..100_000).prop_map(Timestamp::from_millis), any::<i64>().prop_map(Timestamp::from_millis)], 0..30),
        ) {
            let bytes = written(&instants);
            let mut reader = ColumnReader::new(&bytes);
            prop_assert_eq!(read_timestamps(&mut reader, instants.len()), Ok(instants));
            prop_assert_eq!(reader.expect_end(), Ok(()));
        }

        #[test]
        fn no_bytes_make_reading_panic(bytes in vec(any::<u8>(), 0..60), count in 0usize..100) {
            let _ = read_timestamps(&mut ColumnReader::new(&bytes), count);
        }
    }

    #[test]
    fn timestamps_of_one_hour_take_three_bytes_each_and_equal_ones_none() {
        let hour: Vec<Timestamp> = (0..100)
            .map(|i| Timestamp::from_millis(1_760_000_000_000 + 36_000 * i))
            .collect();
        let head = written(&[]).len() + 5;
        assert_eq!(written(&hour).len(), head + 3 * 100);
        assert_eq!(written(&[hour[0]; 100]).len(), head);
    }
}
