//! The segments of months. The first byte selects the family, and the rest is the columns of a month or of a check.

use domain::check_key::CheckKey;
use domain::facts::families::{Citations, Fanouts, Responses, Visibility};
use domain::facts::families::{decode_month_segment, decode_segment};
use domain::facts::families::{encode_month_segment, encode_segment, merge_segments};
use domain::facts::{Family, SegmentError, StringInterner};
use domain::ordinal::CheckNumber;
use domain::time::Day;

const CHECK: CheckKey = CheckKey {
    day: Day(20_000),
    check: CheckNumber::new(1),
};

pub(super) fn run(data: &[u8]) {
    let Some((first, columns)) = data.split_first() else {
        return;
    };
    let family = Family::MERGED[usize::from(first % 4)];
    let month = encode_month_segment(family, columns);
    // Decoded facts take no more memory than their columns justify, in each check.
    let most = 64 * columns.len() + 4_096;
    if let Ok(sizes) = decoded_sizes(family, &month) {
        assert!(sizes.iter().all(|size| *size <= most));
    }
    merged(family, &encode_segment(family, columns));
}

/// Asserts that a month of two equal checks holds both, if their segment is valid.
fn merged(family: Family, segment: &[u8]) {
    let next = CheckKey {
        check: 2.into(),
        ..CHECK
    };
    let Ok(month) = merge_segments(family, &[(CHECK, segment), (next, segment)]) else {
        return;
    };
    let month = month.unwrap();
    let mut texts = StringInterner::default();
    match family {
        Family::Visibility => same(
            Visibility::decode(segment),
            Visibility::decode_month(&month, |_| true),
        ),
        Family::Responses => same(
            Responses::decode(segment),
            Responses::decode_month(&month, |_| true),
        ),
        Family::Citations => same(
            Citations::decode(segment, &mut texts),
            Citations::decode_month(&month, &mut texts, |_| true),
        ),
        Family::Fanouts => same(
            Fanouts::decode(segment, &mut texts),
            Fanouts::decode_month(&month, &mut texts, |_| true),
        ),
        Family::Links => unreachable!("links are not merged"),
    }
}

fn same<F: PartialEq + std::fmt::Debug>(
    of_check: Result<F, SegmentError>,
    month: Result<Vec<(CheckKey, F)>, SegmentError>,
) {
    match (of_check, month) {
        (Ok(of_check), Ok(month)) => {
            assert_eq!(month.len(), 2);
            assert!(month.iter().all(|(_, facts)| *facts == of_check));
        }
        (of_check, month) => assert!(of_check.is_err() && month.is_err(), "only one is readable"),
    }
}

/// Returns the size in memory of each check of a month in bytes.
fn decoded_sizes(family: Family, month: &[u8]) -> Result<Vec<usize>, SegmentError> {
    fn sizes<F>(checks: &[(CheckKey, F)], bytes: impl Fn(&F) -> usize) -> Vec<usize> {
        checks.iter().map(|(_, facts)| bytes(facts)).collect()
    }
    let mut texts = StringInterner::default();
    Ok(match family {
        Family::Visibility => sizes(&Visibility::decode_month(month, |_| true)?, Visibility::bytes),
        Family::Responses => sizes(&Responses::decode_month(month, |_| true)?, Responses::bytes),
        Family::Citations => sizes(
            &Citations::decode_month(month, &mut texts, |_| true)?,
            Citations::bytes,
        ),
        Family::Fanouts => sizes(
            &Fanouts::decode_month(month, &mut texts, |_| true)?,
            Fanouts::bytes,
        ),
        Family::Links => Vec::new(),
    })
}

/// Returns inputs with the columns of a check's segment, and with those of a month of it.
pub(super) fn seed(first: u8, family: Family, segment: &[u8]) -> Vec<Vec<u8>> {
    let Some(index) = Family::MERGED.iter().position(|merged| *merged == family) else {
        return Vec::new();
    };
    let start = [first, u8::try_from(index).unwrap()];
    let month = merge_segments(family, &[(CHECK, segment)]).unwrap().unwrap();
    [
        decode_segment(family, segment),
        decode_month_segment(family, &month),
    ]
    .map(|columns| [&start[..], &columns.unwrap()].concat())
    .into()
}
