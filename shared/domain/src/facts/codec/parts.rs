//! Splitting of segments into parts, because the size of a stored item is limited.

/// The maximum size of a part in bytes, which fits into one stored item beside its keys.
pub const MAX_PART_BYTES: usize = 350_000;

/// Splits a segment into parts of at most [`MAX_PART_BYTES`] bytes, in order.
pub fn split_into_parts(segment: &[u8]) -> impl ExactSizeIterator<Item = &[u8]> {
    segment.chunks(MAX_PART_BYTES)
}

/// Joins the parts of a segment, which must be in order. Decoding the segment fails if a part is missing.
pub fn join_parts<P: AsRef<[u8]>>(parts: impl IntoIterator<Item = P>) -> Vec<u8> {
    let mut segment = Vec::new();
    for part in parts {
        segment.extend_from_slice(part.as_ref());
    }
    segment
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn parts_fit_into_an_item_and_can_be_joined(length in 0usize..1_200_000) {
            let segment: Vec<u8> = (0..length).map(|i| i.to_le_bytes()[0]).collect();
            prop_assert_eq!(split_into_parts(&segment).len(), length.div_ceil(MAX_PART_BYTES));
            prop_assert!(split_into_parts(&segment).all(|part| part.len() <= MAX_PART_BYTES));
            prop_assert_eq!(join_parts(split_into_parts(&segment)), segment);
        }
    }
}
