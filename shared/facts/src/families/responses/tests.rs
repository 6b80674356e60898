use std::collections::BTreeMap;

use domain::answer::{Citation, ResponseState};
use proptest::collection::{btree_set, vec};
use proptest::option;
use proptest::prelude::*;

use super::*;
use crate::test_data::{Random, is_in};

fn rows() -> impl Strategy<Value = Vec<ResponseRow>> {
    let ordinal = || prop_oneof![9 => 0u32..6, 1 => any::<u32>()];
    let columns = (
        any::<i64>(),
        option::of(any::<bool>()),
        any::<bool>(),
        ordinal(),
        ordinal(),
    );
    let row = (ordinal(), ordinal(), columns).prop_map(|(prompt, model, columns)| ResponseRow {
        prompt: prompt.into(),
        model: model.into(),
        answered_at: Timestamp::from_millis(columns.0),
        searched: columns.1,
        truncated: columns.2,
        citations: columns.3,
        fanouts: columns.4,
    });
    vec(row, 0..40)
}

fn first_of_each_cell(rows: &[ResponseRow]) -> Vec<ResponseRow> {
    let mut first = BTreeMap::new();
    for row in rows {
        first.entry((row.prompt, row.model)).or_insert(*row);
    }
    first.into_values().collect()
}

/// Creates the rows of a check of all prompts and models.
fn check(prompts: u32, models: u32, seed: u64) -> Vec<ResponseRow> {
    let mut random = Random(seed);
    let pairs = (0..prompts).flat_map(|prompt| (0..models).map(move |model| (prompt, model)));
    pairs
        .map(|(prompt, model)| ResponseRow {
            prompt: prompt.into(),
            model: model.into(),
            answered_at: Timestamp::from_millis(1_760_000_000_000 + (600_000.0 * random.next()) as i64),
            searched: (model > 0).then(|| random.next() < 0.9),
            truncated: random.next() < 0.01,
            citations: (12.0 * random.next()) as u32,
            fanouts: (7.0 * random.next()) as u32,
        })
        .collect()
}

proptest! {
    #[test]
    fn a_segment_gives_back_the_first_row_of_each_prompt_and_model(rows in rows()) {
        let expected = first_of_each_cell(&rows);
        let decoded = Responses::decode(&Responses::encode(rows)).unwrap();
        prop_assert_eq!(decoded.rows().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn equal_rows_in_any_order_give_equal_bytes(
        (one, other) in rows()
            .prop_map(|rows| first_of_each_cell(&rows))
            .prop_flat_map(|rows| (Just(rows.clone()), Just(rows).prop_shuffle())),
    ) {
        prop_assert_eq!(Responses::encode(one), Responses::encode(other));
    }

    #[test]
    fn a_selection_keeps_what_a_scan_keeps(
        rows in rows(), models in option::of(btree_set(0u32..7, 0..4)), prompts in option::of(btree_set(0u32..7, 0..4)),
    ) {
        let selection = Selection {
            models: models.map(|models| models.into_iter().map(ModelOrdinal::new).collect()),
            prompts: prompts.map(|prompts| prompts.into_iter().map(PromptOrdinal::new).collect()),
        };
        let mut expected = first_of_each_cell(&rows);
        expected.retain(|row| is_in(&selection.models, row.model) && is_in(&selection.prompts, row.prompt));
        let decoded = Responses::decode(&Responses::encode(rows)).unwrap();
        prop_assert_eq!(decoded.selected(&selection).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn no_columns_make_decoding_panic(
        columns in vec(prop_oneof![9 => 0u8..5, 1 => any::<u8>()], 0..60), bytes in vec(any::<u8>(), 0..60),
    ) {
        let _ = Responses::decode(&bytes);
        if let Ok(segment) = Responses::decode(&encode_segment(Family::Responses, &columns)) {
            prop_assert!(segment.rows().count() <= columns.len());
        }
    }
}

#[test]
fn every_changed_bit_and_every_missing_end_is_an_error() {
    for segment in [Responses::encode(Vec::new()), Responses::encode(check(10, 3, 1))] {
        for at in 0..segment.len() {
            assert!(Responses::decode(&segment[..at]).is_err(), "{at} bytes");
            for bit in 0..8 {
                let mut changed = segment.clone();
                changed[at] ^= 1 << bit;
                assert!(Responses::decode(&changed).is_err(), "byte {at}, bit {bit}");
            }
        }
    }
}

#[test]
fn contradictory_columns_are_an_error() {
    let decoded = |columns: &[u8]| Responses::decode(&encode_segment(Family::Responses, columns));
    // One prompt (0), one set (model 0), the prompt has it, the instant 1 without bytes, flags, two counts.
    let good = [1, 0, 1, 1, 0, 0, 2, 0, 5, 3, 4];
    let row = ResponseRow {
        prompt: 0.into(),
        model: 0.into(),
        answered_at: Timestamp::from_millis(1),
        searched: Some(true),
        truncated: true,
        citations: 3,
        fanouts: 4,
    };
    assert_eq!(decoded(&good).map(|s| s.rows().collect()), Ok(vec![row]));
    for columns in [
        &[1, 0, 1, 1, 0, 0, 2, 0, 6, 3, 4][..], // invalid flags
        &[1, 0, 1, 1, 0, 0, 2, 0, 5, 3],        // no count of searches
        &[1, 0, 1, 1, 0, 0, 2, 9, 5, 3, 4],     // instants of nine bytes
        &[1, 0, 1, 1, 0, 0, 2, 0, 5, 3, 4, 0],  // bytes left over
    ] {
        assert_eq!(decoded(columns), Err(SegmentError::InvalidColumns), "{columns:?}");
    }
}

#[test]
fn a_day_of_a_thousand_responses_takes_less_than_four_kilobytes() {
    for seed in 1..=5 {
        let size = Responses::encode(check(200, 5, seed)).len();
        assert!(size <= 4_096, "{size} bytes");
    }
}

#[test]
fn a_recorded_response_counts_each_page_once_and_each_search_as_often_as_it_ran() {
    let mut response = Response::failed(7.into(), 3.into(), "overloaded", Timestamp::from_millis(12_345));
    let plain = response_row(&response);
    assert_eq!(
        (plain.prompt, plain.model, plain.answered_at),
        (7.into(), 3.into(), Timestamp::from_millis(12_345))
    );
    assert_eq!(
        (plain.searched, plain.truncated, plain.citations, plain.fanouts),
        (None, false, 0, 0)
    );

    response.searched = Some(true);
    response.truncated = true;
    let urls = [
        "https://www.acme.com/a/?utm_source=x#top",
        "http://acme.com/a",
        "https://acme.com/b",
        "mailto:a@b.c",
    ];
    response.citations = urls
        .map(|url| Citation {
            url: url.to_owned(),
            title: None,
            ..Default::default()
        })
        .to_vec();
    response.queries = ["best crm", " ", "best crm"].map(str::to_owned).to_vec();
    // A refused response has no citations and searches.
    response.state = ResponseState::Refused;
    let row = response_row(&response);
    assert_eq!((row.truncated, row.citations, row.fanouts), (true, 0, 0));

    response.state = ResponseState::Answered;
    let row = response_row(&response);
    assert_eq!(
        (row.searched, row.truncated, row.citations, row.fanouts),
        (Some(true), true, 2, 2)
    );
}
