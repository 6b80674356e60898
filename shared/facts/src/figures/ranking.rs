//! Rankings of texts by their counts.

use std::cmp::Ordering;

use crate::codec::{StringId, StringInterner};

/// A row of a ranking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RankedText {
    /// The position in the ranking, counted from 1.
    pub rank: usize,
    pub text_id: StringId,
    pub count: u64,
}

/// A page of a ranking. Rows are sorted by count, the highest first, then by text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ranking {
    /// The number of rows on all pages.
    pub total: usize,
    /// The rows of the page.
    pub rows: Vec<RankedText>,
}

/// A text with its count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TextCount {
    pub(super) text_id: StringId,
    pub(super) count: u64,
}

/// Returns the rows `offset` to below `offset + limit` of the ranking of `counts`, which is indexed by the
/// ids of texts.
///
/// Texts with a count of 0 are left out.
pub(super) fn ranking(counts: &[u64], texts: &StringInterner, offset: usize, limit: usize) -> Ranking {
    let counted = counts.iter().enumerate().map(|(index, count)| TextCount {
        text_id: StringId::from_index(index),
        count: *count,
    });
    let counted: Vec<TextCount> = counted.filter(|counted| counted.count > 0).collect();
    let total = counted.len();
    let page = page(counted, texts, offset, limit);
    let ranked = (1..).zip(page).map(|(number, counted)| RankedText {
        rank: offset.saturating_add(number),
        text_id: counted.text_id,
        count: counted.count,
    });
    Ranking {
        total,
        rows: ranked.collect(),
    }
}

/// Returns the texts `offset` to below `offset + limit`, sorted by count, the highest first, then by text.
///
/// Only the texts on the page are sorted completely.
pub(super) fn page(
    mut counted: Vec<TextCount>,
    texts: &StringInterner,
    offset: usize,
    limit: usize,
) -> Vec<TextCount> {
    let start = offset;
    let end = start.saturating_add(limit).min(counted.len());
    if start >= end {
        return Vec::new();
    }
    // Comparing counts is much cheaper than comparing texts. Therefore texts are selected by their counts
    // first, including all texts whose count is on the page, and only these are compared by text.
    let by_count = |a: &TextCount, b: &TextCount| b.count.cmp(&a.count);
    let max = counted.select_nth_unstable_by(start, by_count).1.count;
    let min = counted[start..]
        .select_nth_unstable_by(end - 1 - start, by_count)
        .1
        .count;
    let before = counted.iter().filter(|counted| counted.count > max).count();
    counted.retain(|counted| (min..=max).contains(&counted.count));

    let order = |a: &TextCount, b: &TextCount| -> Ordering {
        by_count(a, b).then_with(|| texts.get(a.text_id).cmp(texts.get(b.text_id)))
    };
    let (start, end) = (start - before, end - before);
    if start > 0 {
        counted.select_nth_unstable_by(start, order);
        counted.drain(..start);
    }
    let length = end - start;
    if length < counted.len() {
        counted.select_nth_unstable_by(length, order);
        counted.truncate(length);
    }
    counted.sort_unstable_by(order);
    counted
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_page_is_a_slice_of_the_sorted_ranking(
            counts in vec(0u64..5, 0..40), offset in 0usize..45, limit in 0usize..45,
        ) {
            let mut texts = StringInterner::default();
            // Ids in another order than the texts.
            for i in 0..counts.len() {
                texts.intern(&format!("{}", i * 17 % 41));
            }
            let ids = (0..).map(StringId::from_index);
            let mut whole: Vec<(StringId, u64)> = ids.zip(counts.iter().copied()).filter(|row| row.1 > 0).collect();
            whole.sort_by_key(|(text, count)| (Reverse(*count), texts.get(*text).to_owned()));
            let total = whole.len();
            let expected: Vec<RankedText> = (1..)
                .zip(whole)
                .map(|(rank, (text_id, count))| RankedText { rank, text_id, count })
                .skip(offset)
                .take(limit)
                .collect();
            prop_assert_eq!(ranking(&counts, &texts, offset, limit), Ranking { total, rows: expected });
        }
    }

    #[test]
    fn a_page_far_beyond_the_end_is_empty() {
        let mut texts = StringInterner::default();
        texts.intern("a");
        let beyond = ranking(&[3], &texts, usize::MAX, usize::MAX);
        assert_eq!((beyond.total, beyond.rows.len()), (1, 0));
    }
}
