use std::collections::BTreeMap;

use domain::family::Family;
use proptest::collection::vec;
use proptest::prelude::*;

use super::spelling::{folded, spelling};
use super::*;
use crate::codec::{SegmentError, StringInterner, decode_segment, encode_segment};
use crate::test_data;

/// The prompt, the model, the time, and the spelling and folded form of each search.
type DecodedRow = (PromptOrdinal, ModelOrdinal, Timestamp, Vec<(String, String)>);

/// Returns the decoded rows that a segment of these rows must have.
fn expected(rows: &[FanoutRow]) -> Vec<DecodedRow> {
    let mut first = BTreeMap::new();
    for row in rows {
        first.entry((row.prompt, row.model)).or_insert(row);
    }
    let rows = first.into_values().map(|row| {
        let spelled = row.queries.iter().map(|query| spelling(query));
        let both = spelled.map(|query| (query.clone(), folded(&query)));
        let kept = both.filter(|(query, _)| !query.is_empty()).collect();
        (row.prompt, row.model, row.answered_at, kept)
    });
    rows.filter(|(_, _, _, queries): &DecodedRow| !queries.is_empty())
        .collect()
}

fn decoded_rows(segment: &Fanouts, texts: &StringInterner) -> Vec<DecodedRow> {
    let text = |id: &StringId| texts.get(*id).to_owned();
    let rows = segment.rows().map(|row| {
        let queries = row.spelled.iter().zip(row.folded);
        let queries = queries.map(|(spelled, folded)| (text(spelled), text(folded)));
        (row.prompt, row.model, row.answered_at, queries.collect())
    });
    rows.collect()
}

proptest! {
    #[test]
    fn segments_that_share_texts_give_back_their_rows(days in vec(test_data::fanouts::rows(), 1..4)) {
        let mut texts = StringInterner::default();
        for rows in days {
            let segment = Fanouts::decode(&Fanouts::encode(rows.clone()), &mut texts).unwrap();
            prop_assert_eq!(decoded_rows(&segment, &texts), expected(&rows));
        }
    }

    #[test]
    fn equal_rows_in_any_order_give_equal_bytes(
        (one, other) in test_data::fanouts::rows()
            .prop_map(|mut rows| {
                rows.sort_by_key(|row| (row.prompt, row.model));
                rows.dedup_by_key(|row| (row.prompt, row.model));
                rows
            })
            .prop_flat_map(|rows| (Just(rows.clone()), Just(rows).prop_shuffle())),
    ) {
        prop_assert_eq!(Fanouts::encode(one), Fanouts::encode(other));
    }

    #[test]
    fn no_columns_make_decoding_panic(
        columns in vec(prop_oneof![9 => 0u8..4, 1 => any::<u8>()], 0..60), bytes in vec(any::<u8>(), 0..60),
    ) {
        let mut texts = StringInterner::default();
        let _ = Fanouts::decode(&bytes, &mut texts);
        if let Ok(segment) = Fanouts::decode(&encode_segment(Family::Fanouts, &columns), &mut texts) {
            prop_assert!(segment.rows().map(|row| row.spelled.len()).sum::<usize>() <= columns.len());
        }
    }

    #[test]
    fn a_changed_column_does_not_make_decoding_panic(
        rows in test_data::fanouts::rows(), at in any::<prop::sample::Index>(), byte in any::<u8>(),
    ) {
        let mut columns = decode_segment(Family::Fanouts, &Fanouts::encode(rows)).unwrap();
        let at = at.index(columns.len());
        columns[at] = byte;
        if let Ok(segment) = Fanouts::decode(&encode_segment(Family::Fanouts, &columns), &mut StringInterner::default()) {
            for row in segment.rows() {
                prop_assert!(!row.spelled.is_empty());
                prop_assert_eq!(row.spelled.len(), row.folded.len());
            }
        }
    }
}

#[test]
fn every_changed_bit_and_every_missing_end_is_an_error() {
    for segment in [
        Fanouts::encode(Vec::new()),
        Fanouts::encode(test_data::fanouts::day(4, 3, 3, 1)),
    ] {
        for at in 0..segment.len() {
            assert!(
                Fanouts::decode(&segment[..at], &mut StringInterner::default()).is_err(),
                "{at} bytes"
            );
            for bit in 0..8 {
                let mut changed = segment.clone();
                changed[at] ^= 1 << bit;
                let decoded = Fanouts::decode(&changed, &mut StringInterner::default());
                assert!(decoded.is_err(), "byte {at}, bit {bit}");
            }
        }
    }
}

#[test]
fn contradictory_columns_are_an_error() {
    let decoded = |columns: &[u8]| {
        Fanouts::decode(
            &encode_segment(Family::Fanouts, columns),
            &mut StringInterner::default(),
        )
    };
    let with = |tail: &[u8]| {
        // One prompt (0), one set (model 0), the prompt has it, the instant 0 without bytes, one search.
        let mut columns = vec![1, 0, 1, 1, 0, 0, 0, 0, 1];
        columns.extend(tail);
        decoded(&columns).map(|segment| segment.rows().count())
    };
    // The dictionary "a", no folds, the prompt's set {0}, the search is the set's first.
    assert_eq!(with(&[1, b'a', 0xff, 0, 1, 0, 0]), Ok(1));
    for tail in [
        &[1, b'a', 0xff, 0, 1, 0, 1][..],         // not in the prompt's set
        &[1, b'a', 0xff, 0, 1, 1, 0],             // a set with a spelling that is not there
        &[1, b'a', 0xff, 0, 1, 0],                // no search
        &[1, b'a', 0xff, 0, 1, 0, 0, 0],          // bytes left over
        &[1, b'a', 0xff, 1, 1, 1, b'b', 1, 0, 0], // a fold of a spelling that is not there
    ] {
        assert_eq!(with(tail), Err(SegmentError::InvalidColumns), "{tail:?}");
    }
    // A row without searches, and a row with too many.
    let row = |count: u8| decoded(&[1, 0, 1, 1, 0, 0, 0, 0, count, 1, b'a', 0xff, 0, 1, 0, 0]);
    assert!(row(1).is_ok());
    assert_eq!(row(0), Err(SegmentError::InvalidColumns));
    assert_eq!(row(2), Err(SegmentError::InvalidColumns));
}

#[test]
fn a_day_of_three_thousand_searches_takes_about_thirty_three_kilobytes() {
    for day in 1..=3 {
        let rows = test_data::fanouts::day(200, 5, 3, day);
        let mut queries: Vec<&String> = rows.iter().flat_map(|row| &row.queries).collect();
        queries.sort();
        queries.dedup();
        let size = Fanouts::encode(rows.clone()).len();
        // Most searches of the sample occur only once.
        assert!(queries.len() >= 1_800, "{}", queries.len());
        assert!(size <= 36_000, "{size} bytes");
    }
}

#[test]
fn only_answered_responses_have_searches() {
    let mut response = Response::failed(7.into(), 3.into(), "overloaded", Timestamp::from_millis(12_345));
    response.queries = vec!["Best CRM".to_owned()];
    for (state, queries) in [
        (ResponseState::Answered, 1),
        (ResponseState::Refused, 0),
        (ResponseState::Failed, 0),
    ] {
        response.state = state;
        let row = fanout_row(&response);
        assert_eq!(
            (row.prompt, row.model, row.answered_at),
            (7.into(), 3.into(), Timestamp::from_millis(12_345))
        );
        assert_eq!(row.queries, response.queries[..queries]);
    }
}
