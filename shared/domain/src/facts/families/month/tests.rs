use std::collections::BTreeMap;

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

use super::*;
use crate::answer::ResponseState;
use crate::facts::StringInterner;
use crate::facts::families::{
    CitationRow, ResponseRow, Responses, Visibility, VisibilityCell, encode_segment,
};
use crate::facts::test_data;
use crate::time::Timestamp;

/// Generates the facts of a month's checks, several of which can be of one day.
fn month_of<T: std::fmt::Debug>(
    facts: impl Strategy<Value = T>,
) -> impl Strategy<Value = BTreeMap<CheckKey, T>> {
    let check = (20_000i32..20_031, 1u32..1_000).prop_map(|(day, check)| CheckKey {
        day: Day(day),
        check: check.into(),
    });
    btree_map(check, facts, 0..6)
}

/// Returns the checks' segments, and the merged one.
fn merged<T>(
    family: Family,
    month: &BTreeMap<CheckKey, T>,
    encode: impl Fn(&T) -> Vec<u8>,
) -> (Vec<(CheckKey, Vec<u8>)>, Vec<u8>) {
    let segments: Vec<_> = month
        .iter()
        .map(|(check, facts)| (*check, encode(facts)))
        .collect();
    let merged = merge_segments(family, &segments).unwrap().unwrap();
    (segments, merged)
}

fn response_rows(cells: &[VisibilityCell]) -> Vec<ResponseRow> {
    let row = |cell: &VisibilityCell| ResponseRow {
        prompt: cell.prompt,
        model: cell.model,
        answered_at: Timestamp::from_millis(i64::from(cell.prompt.get())),
        searched: cell.brands.first().map(|brand| brand.get() > 2),
        truncated: cell.state == ResponseState::Refused,
        citations: cell.model.get(),
        fanouts: cell.brands.iter().map(|brand| brand.get() % 3).sum(),
    };
    cells.iter().map(row).collect()
}

proptest! {
    #[test]
    fn a_month_decodes_to_what_the_segments_of_its_checks_decode_to(
        cells in month_of(test_data::cells()),
        links in month_of(test_data::link_rows()),
        fanouts in month_of(test_data::fanouts::rows()),
        days in vec(any::<bool>(), 31),
    ) {
        let is_wanted = |check: CheckKey| usize::try_from(check.day.0 - 20_000).is_ok_and(|day| days[day]);
        let mut texts = StringInterner::default();

        let (segments, month) = merged(Family::Visibility, &cells, |cells| Visibility::new(cells.clone()).encode());
        let wanted = segments.iter().filter(|(check, _)| is_wanted(*check));
        let expected: Vec<_> = wanted.map(|(check, segment)| (*check, Visibility::decode(segment).unwrap())).collect();
        prop_assert_eq!(Visibility::decode_month(&month, is_wanted).unwrap(), expected);

        let (segments, month) = merged(Family::Responses, &cells, |cells| Responses::encode(response_rows(cells)));
        let wanted = segments.iter().filter(|(check, _)| is_wanted(*check));
        let expected: Vec<_> = wanted.map(|(check, segment)| (*check, Responses::decode(segment).unwrap())).collect();
        prop_assert_eq!(Responses::decode_month(&month, is_wanted).unwrap(), expected);

        let (segments, month) = merged(Family::Citations, &links, |rows| {
            Citations::encode(&rows.iter().map(CitationRow::from).collect::<Vec<_>>())
        });
        let wanted = segments.iter().filter(|(check, _)| is_wanted(*check));
        let expected: Vec<_> =
            wanted.map(|(check, segment)| (*check, Citations::decode(segment, &mut texts).unwrap())).collect();
        prop_assert_eq!(Citations::decode_month(&month, &mut texts, is_wanted).unwrap(), expected);

        let (segments, month) = merged(Family::Fanouts, &fanouts, |rows| Fanouts::encode(rows.clone()));
        let wanted = segments.iter().filter(|(check, _)| is_wanted(*check));
        let expected: Vec<_> =
            wanted.map(|(check, segment)| (*check, Fanouts::decode(segment, &mut texts).unwrap())).collect();
        prop_assert_eq!(Fanouts::decode_month(&month, &mut texts, is_wanted).unwrap(), expected);
    }

    #[test]
    fn arbitrary_columns_of_a_month_never_panic(columns in vec(any::<u8>(), 0..80)) {
        let mut texts = StringInterner::default();
        for family in Family::MERGED {
            let segment = encode_month_segment(family, &columns);
            let _ = Visibility::decode_month(&segment, |_| true);
            let _ = Responses::decode_month(&segment, |_| true);
            let _ = Citations::decode_month(&segment, &mut texts, |_| true);
            let _ = Fanouts::decode_month(&segment, &mut texts, |_| true);
            let _ = merge_segments(family, &[(CHECK, encode_segment(family, &columns))]);
        }
    }
}

const CHECK: CheckKey = CheckKey {
    day: Day(20_000),
    check: crate::ordinal::CheckNumber::new(1),
};

#[test]
fn the_segment_of_a_check_is_not_that_of_a_month() {
    let of_check = Visibility::new(Vec::new()).encode();
    let month = merge_segments(Family::Visibility, &[(CHECK, &of_check)])
        .unwrap()
        .unwrap();
    assert_eq!(
        Visibility::decode_month(&of_check, |_| true),
        Err(SegmentError::WrongFamily)
    );
    assert_eq!(Visibility::decode(&month), Err(SegmentError::WrongFamily));
    assert_eq!(
        Responses::decode_month(&month, |_| true),
        Err(SegmentError::WrongFamily)
    );
    assert!(merge_segments(Family::Visibility, &[(CHECK, &month)]).is_err());
}

#[test]
fn links_have_no_segments_of_months() {
    assert_eq!(merge_segments(Family::Links, &[(CHECK, b"any")]), Ok(None));
}

#[test]
fn a_month_without_checks_is_empty() {
    let none: [(CheckKey, Vec<u8>); 0] = [];
    let month = merge_segments(Family::Visibility, &none).unwrap().unwrap();
    assert_eq!(Visibility::decode_month(&month, |_| true), Ok(Vec::new()));
}

/// Segments of months are read for as long as those of checks, so that these bytes never change either.
#[test]
fn a_month_of_two_checks_keeps_its_bytes() {
    let next = CheckKey {
        day: Day(20_001),
        check: 2.into(),
    };
    let row = |domain: &str| CitationRow {
        prompt: 1.into(),
        model: 2.into(),
        domains: vec![(domain.to_owned(), 2)],
    };
    let segments = [
        (CHECK, Citations::encode(&[row("a.com")])),
        (next, Citations::encode(&[row("b.com")])),
    ];
    let month = merge_segments(Family::Citations, &segments).unwrap().unwrap();
    let columns = decode_month_segment(Family::Citations, &month).unwrap();
    assert_eq!(
        hex::encode(columns),
        "02c0b8020102020e0b0b0100042e636f6d0200016100016201010101020001000200000101010102000101020000"
    );
}
