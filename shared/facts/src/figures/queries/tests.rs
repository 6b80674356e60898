use domain::ordinal::{ModelOrdinal, Ordinal};
use proptest::collection::{btree_set, vec};
use proptest::option;
use proptest::prelude::*;

use super::*;
use crate::families::FanoutRow;
use crate::test_data::{self, is_in};

/// A day's rows, its selection and the caller's numbers of its models.
type Day = (Vec<FanoutRow>, Selection, Vec<u32>);

fn some<T: Ordinal>() -> impl Strategy<Value = Option<OrdinalSet<T>>> {
    option::of(btree_set(0u32..7, 0..6).prop_map(|ordinals| ordinals.into_iter().map(T::from).collect()))
}

fn days() -> impl Strategy<Value = Vec<Day>> {
    let selection = (some(), some()).prop_map(|(models, prompts)| Selection { models, prompts });
    vec((test_data::fanouts::rows(), selection, vec(0u32..9, 0..5)), 0..5)
}

fn page(limit: usize, offset: usize) -> Page {
    Page::parse(Some(&limit.to_string()), Some(&offset.to_string())).unwrap()
}

/// An execution of a search that counts.
struct Search {
    spelled: String,
    folded: String,
    response: (usize, PromptOrdinal, ModelOrdinal),
    seen: (Timestamp, PromptOrdinal, u32, usize),
}

/// Computes all rows by testing every execution.
fn scan(days: &[Day], search: Option<&str>) -> Vec<(String, u64, u64, Timestamp, Vec<u32>)> {
    let mut searches: Vec<Search> = Vec::new();
    for (day, (rows, selection, model_numbers)) in days.iter().enumerate() {
        let mut pairs = Vec::new();
        for row in rows {
            let again = pairs.contains(&(row.prompt, row.model));
            pairs.push((row.prompt, row.model));
            if again || !is_in(&selection.models, row.model) || !is_in(&selection.prompts, row.prompt) {
                continue;
            }
            let model = model_numbers
                .get(row.model.index())
                .copied()
                .unwrap_or(row.model.get());
            let spelled = row
                .queries
                .iter()
                .map(|query| query.split_whitespace().collect::<Vec<_>>().join(" "));
            for (index, spelled) in spelled.filter(|query| !query.is_empty()).enumerate() {
                searches.push(Search {
                    folded: spelling::folded(&spelled),
                    spelled,
                    response: (day, row.prompt, row.model),
                    seen: (row.answered_at, row.prompt, model, index),
                });
            }
        }
    }
    searches.sort_by(|a, b| a.folded.cmp(&b.folded));
    let mut rows = Vec::new();
    for same in searches.chunk_by(|a, b| a.folded == b.folded) {
        if search.is_some_and(|search| !same[0].folded.contains(&spelling::needle(search))) {
            continue;
        }
        let of = |spelled: &str| {
            same.iter()
                .filter(move |search| search.spelled == spelled)
                .collect::<Vec<_>>()
        };
        let shown = same.iter().min_by_key(|search| {
            let all = of(&search.spelled);
            let first = all.iter().map(|search| search.seen).min();
            (Reverse(all.len()), first, search.spelled.clone())
        });
        let mut responses: Vec<_> = same.iter().map(|search| search.response).collect();
        responses.sort_unstable();
        responses.dedup();
        let mut models: Vec<u32> = same.iter().map(|search| search.seen.2).collect();
        models.sort_unstable();
        models.dedup();
        let latest = same.iter().map(|search| search.seen.0).max().unwrap();
        rows.push((
            shown.unwrap().spelled.clone(),
            same.len() as u64,
            responses.len() as u64,
            latest,
            models,
        ));
    }
    // The sort is stable, so equally frequent queries remain in the order of their folded texts.
    rows.sort_by_key(|row| Reverse(row.1));
    rows
}

fn row_values(row: &QueryRow<'_>) -> (String, u64, u64, Timestamp, Vec<u32>) {
    let models = row.models.as_slice().to_vec();
    (
        row.query.to_owned(),
        row.frequency,
        row.unique_responses,
        row.latest,
        models,
    )
}

fn decoded(days: &[Day], texts: &mut StringInterner) -> Vec<Fanouts> {
    let decode = |(rows, _, _): &Day| Fanouts::decode(&Fanouts::encode(rows.clone()), texts).unwrap();
    days.iter().map(decode).collect()
}

fn asked<'a>(days: &'a [Day], segments: &'a [Fanouts]) -> Vec<FanoutSegment<'a>> {
    let days = days.iter().zip(segments);
    days.map(|((_, selection, model_numbers), segment)| FanoutSegment {
        segment,
        selection,
        model_numbers,
    })
    .collect()
}

proptest! {
    #[test]
    fn pages_are_those_of_a_scan_and_hold_every_query_once(
        days in days(), search in option::of(test_data::fanouts::query()), limit in 1usize..9,
    ) {
        let mut texts = StringInterner::default();
        let segments = decoded(&days, &mut texts);
        let asked = asked(&days, &segments);
        let expected = scan(&days, search.as_deref());
        let mut walked = Vec::new();
        for offset in (0..=expected.len()).step_by(limit) {
            let found = queries(&asked, &texts, search.as_deref(), &page(limit, offset));
            prop_assert_eq!(found.total_count, expected.len());
            prop_assert_eq!(found.total_queries, expected.iter().map(|row| row.1).sum::<u64>());
            prop_assert_eq!(found.rows.len(), limit.min(expected.len() - offset));
            walked.extend(found.rows.iter().map(row_values));
        }
        prop_assert_eq!(walked, expected);
    }

    #[test]
    fn any_page_is_a_part_of_the_whole(days in days(), limit in 1usize..40, offset in 0usize..40) {
        let mut texts = StringInterner::default();
        let segments = decoded(&days, &mut texts);
        let found = queries(&asked(&days, &segments), &texts, None, &page(limit, offset));
        let expected: Vec<_> = scan(&days, None).into_iter().skip(offset).take(limit).collect();
        prop_assert_eq!(found.rows.iter().map(row_values).collect::<Vec<_>>(), expected);
    }
}

fn row(prompt: u32, at: i64, queries: &[&str]) -> FanoutRow {
    FanoutRow {
        prompt: prompt.into(),
        model: 2.into(),
        answered_at: Timestamp::from_millis(at),
        queries: queries.iter().map(|query| (*query).to_owned()).collect(),
    }
}

/// Returns all queries of the rows of one day with their frequencies.
fn found(rows: Vec<FanoutRow>, search: Option<&str>) -> Vec<(String, u64)> {
    let days = [(rows, Selection::default(), Vec::new())];
    let mut texts = StringInterner::default();
    let segments = decoded(&days, &mut texts);
    let found = queries(&asked(&days, &segments), &texts, search, &page(100, 0));
    let rows = found.rows.iter();
    rows.map(|row| (row.query.to_owned(), row.frequency)).collect()
}

#[test]
fn a_query_has_its_most_frequent_spelling_or_the_earliest_of_equally_frequent_ones() {
    let upper = row(0, 20, &["BEST  crm", "best crm"]);
    assert_eq!(found(vec![upper.clone()], None), [("BEST crm".to_owned(), 2)]);
    let earlier = row(1, 10, &["best crm", " BEST crm "]);
    assert_eq!(
        found(vec![upper.clone(), earlier.clone()], None),
        [("best crm".to_owned(), 4)]
    );
    let again = row(2, 30, &["BEST crm"]);
    assert_eq!(
        found(vec![upper, earlier, again], None),
        [("BEST crm".to_owned(), 5)]
    );
}

#[test]
fn queries_in_any_script_are_compared_without_case() {
    let long = "Wörter ".repeat(600);
    let upper = long.to_uppercase();
    let rows = vec![
        row(
            0,
            1,
            &[
                "Straße 🦀",
                "STRASSE 🦀",
                "strasse 🦀",
                "ΟΔΟΣ",
                "οδος",
                "İzmir",
                "i\u{307}ZMIR",
            ],
        ),
        row(1, 2, &[&long, &upper]),
    ];
    let all = found(rows.clone(), None);
    let counts: Vec<u64> = all.iter().map(|(_, count)| *count).collect();
    assert_eq!(counts, [3, 2, 2, 2]);
    assert_eq!(all[0].0, "Straße 🦀");
    assert_eq!(found(rows.clone(), Some("SSE 🦀")).len(), 1);
    assert_eq!(found(rows.clone(), Some("ΔΟς")).len(), 1);
    assert_eq!(found(rows.clone(), Some("wörter\n WÖRTER")).len(), 1);
    assert_eq!(found(rows, Some("🦀 ")).len(), 0);
}

#[test]
fn a_response_that_repeats_a_query_is_one_response() {
    let days = [(
        vec![row(0, 1, &["a", "A", "b"]), row(1, 5, &["a"])],
        Selection::default(),
        vec![7, 8, 9],
    )];
    let mut texts = StringInterner::default();
    let segments = decoded(&days, &mut texts);
    let found = queries(&asked(&days, &segments), &texts, None, &page(1, 0));
    assert_eq!((found.total_count, found.total_queries), (2, 4));
    let expected = ("a".to_owned(), 3, 2, Timestamp::from_millis(5), vec![9]);
    assert_eq!(found.rows.iter().map(row_values).collect::<Vec<_>>(), [expected]);
}
