use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::codec::{Selection, StringId};
use crate::families::{CitedText, LinkRow};
use crate::test_data;

fn rows() -> impl Strategy<Value = Vec<CitationRow>> {
    // Most are real domains, and some are arbitrary texts.
    let text = ".{0,3}".prop_map(|text| vec![(text, 1)]);
    (test_data::link_rows(), text).prop_map(|(rows, text)| {
        let mut rows: Vec<CitationRow> = rows.iter().map(CitationRow::from).collect();
        if let Some(row) = rows.first_mut() {
            row.domains.extend(text);
        }
        rows
    })
}

/// Counts the citations of each domain row by row.
fn scan(rows: &[CitationRow]) -> BTreeMap<String, u64> {
    let mut seen = Vec::new();
    let mut counts = BTreeMap::new();
    for row in rows {
        if !seen.contains(&(row.prompt, row.model)) {
            seen.push((row.prompt, row.model));
            for (domain, count) in &row.domains {
                *counts.entry(domain.clone()).or_default() += u64::from(*count);
            }
        }
    }
    counts
}

proptest! {
    #[test]
    fn a_segment_holds_the_first_row_of_each_prompt_and_model(rows in rows()) {
        let mut texts = StringInterner::default();
        let segment = Citations::decode(&Citations::encode(&rows), &mut texts).unwrap();
        let counts: BTreeMap<String, u64> = segment
            .counts(&Selection::default())
            .map(|cited| (texts.get(cited.text_id).to_owned(), cited.count))
            .collect();
        prop_assert_eq!(counts, scan(&rows));
    }

    #[test]
    fn equal_rows_in_any_order_give_equal_bytes(
        (one, mut other) in rows().prop_map(once_each)
            .prop_flat_map(|rows| (Just(rows.clone()), Just(rows).prop_shuffle())),
    ) {
        for row in &mut other {
            row.domains.reverse();
        }
        prop_assert_eq!(Citations::encode(&one), Citations::encode(&other));
    }

    #[test]
    fn no_columns_make_decoding_panic(
        columns in vec(prop_oneof![9 => 0u8..4, 1 => any::<u8>()], 0..60), bytes in vec(any::<u8>(), 0..60),
    ) {
        let mut texts = StringInterner::default();
        prop_assert!(Citations::decode(&bytes, &mut texts).is_err());
        if let Ok(segment) = Citations::decode(&encode_segment(Family::Citations, &columns), &mut texts) {
            let all: u64 = segment.counts(&Selection::default()).map(|cited| cited.count).sum();
            prop_assert!(all <= columns.len() as u64);
        }
    }
}

fn once_each(mut rows: Vec<CitationRow>) -> Vec<CitationRow> {
    let mut seen = Vec::new();
    rows.retain(|row| {
        let is_new = !seen.contains(&(row.prompt, row.model));
        seen.push((row.prompt, row.model));
        is_new
    });
    rows
}

fn check(prompts: u32, models: u32) -> Vec<CitationRow> {
    let links: Vec<LinkRow> = test_data::World::new(prompts, models).day(1);
    links.iter().map(CitationRow::from).collect()
}

#[test]
fn every_changed_bit_and_every_missing_end_is_an_error() {
    for segment in [Citations::encode(&[]), Citations::encode(&check(6, 3))] {
        let mut texts = StringInterner::default();
        for at in 0..segment.len() {
            assert!(
                Citations::decode(&segment[..at], &mut texts).is_err(),
                "{at} bytes"
            );
            for bit in 0..8 {
                let mut changed = segment.clone();
                changed[at] ^= 1 << bit;
                assert!(
                    Citations::decode(&changed, &mut texts).is_err(),
                    "byte {at}, bit {bit}"
                );
            }
        }
    }
}

#[test]
fn contradictory_columns_are_an_error() {
    let decoded = |columns: &[u8]| {
        let segment = encode_segment(Family::Citations, columns);
        Citations::decode(&segment, &mut StringInterner::default())
            .map(|s| s.counts(&Selection::default()).collect())
    };
    // Prompt 0 with model 0; one domain, `a`; two citations of it in row 0.
    let good = [1, 0, 1, 1, 0, 0, 1, b'a', 0xff, 2, 0, 0];
    assert_eq!(
        decoded(&good),
        Ok(vec![CitedText {
            text_id: StringId::from_index(0),
            count: 2
        }])
    );
    for (at, byte) in [(6, 2), (8, b'b'), (9, 1), (9, 3), (10, 1), (11, 1)] {
        let mut bad = good;
        bad[at] = byte;
        assert_eq!(decoded(&bad), Err(SegmentError::InvalidColumns), "{byte} at {at}");
    }
}

#[test]
fn a_day_of_a_thousand_responses_takes_some_fifteen_kilobytes() {
    let rows = check(200, 5);
    let domains = scan(&rows).len();
    let size = Citations::encode(&rows).len();
    assert!(domains > 1_000, "{domains} domains");
    assert!(size <= 16_000, "{size} bytes");
}
