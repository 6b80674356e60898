use std::cmp::Reverse;
use std::collections::BTreeMap;

use domain::ordinal::Ordinal;
use domain::ordinal_set::OrdinalSet;
use proptest::collection::{btree_set, vec};
use proptest::option;
use proptest::prelude::*;

use super::*;
use crate::families::{CitationRow, LinkRow, bucket_of};
use crate::test_data::{self, is_in};

const DOMAINS: [&str; 4] = ["a.com", "b.com", "c.de", "never-cited.com"];

/// The days, rows and selections of checks.
type Checks = Vec<(Day, Vec<LinkRow>, Selection)>;

/// Generates a part of a selection that is not empty.
fn some<T: Ordinal>() -> impl Strategy<Value = Option<OrdinalSet<T>>> {
    option::of(btree_set(0u32..8, 1..7).prop_map(|ordinals| ordinals.into_iter().map(T::from).collect()))
}

fn checks() -> impl Strategy<Value = Checks> {
    let selection = (some(), some()).prop_map(|(models, prompts)| Selection { models, prompts });
    vec(
        ((0i32..10).prop_map(Day), test_data::link_rows(), selection),
        0..7,
    )
}

/// Generates pairs of a domain and the domain of its row, as indexes into `DOMAINS`.
fn merges() -> impl Strategy<Value = Vec<(usize, usize)>> {
    vec((0usize..4, 0usize..4), 0..4)
}

fn row_name<'a>(domain: &'a str, merges: &[(usize, usize)]) -> &'a str {
    let merge = merges.iter().find(|(from, _)| DOMAINS[*from] == domain);
    merge.map_or(domain, |(_, to)| DOMAINS[*to])
}

/// Returns the day, domain and URL of every citation that counts.
fn scan(checks: &Checks) -> Vec<(Day, String, String)> {
    let mut all = Vec::new();
    for (day, rows, selection) in checks {
        let mut seen = Vec::new();
        for row in rows {
            if seen.contains(&(row.prompt, row.model)) {
                continue;
            }
            seen.push((row.prompt, row.model));
            if is_in(&selection.prompts, row.prompt) && is_in(&selection.models, row.model) {
                for (at, url) in row.urls.iter().enumerate() {
                    if !row.urls[..at].contains(url) {
                        all.push((*day, url.registrable().to_owned(), url.to_string()));
                    }
                }
            }
        }
    }
    all
}

/// Ranks names by the number of their occurrences, the most frequent first.
fn ranked<'a>(names: impl Iterator<Item = &'a str>) -> Vec<(usize, String, u64)> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for name in names {
        *counts.entry(name).or_default() += 1;
    }
    let mut rows: Vec<_> = counts.into_iter().collect();
    rows.sort_by_key(|(_, count)| Reverse(*count));
    (1..)
        .zip(rows)
        .map(|(rank, (name, count))| (rank, name.to_owned(), count))
        .collect()
}

fn named_rows(rows: &[RankedText], texts: &StringInterner) -> Vec<(usize, String, u64)> {
    let row = |row: &RankedText| (row.rank, texts.get(row.text_id).to_owned(), row.count);
    rows.iter().map(row).collect()
}

fn selected<'a, S>(
    checks: &'a Checks,
    segments: &'a [S],
) -> impl Iterator<Item = (&'a S, &'a Selection)> + Clone {
    let selections = checks.iter().map(|(.., selection)| selection);
    segments.iter().zip(selections)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn rows_trends_and_details_are_what_a_scan_of_the_citations_gives(
        checks in checks(), merges in merges(), offset in 0usize..6, limit in 0usize..6,
    ) {
        let mut texts = StringInterner::default();
        let citations: Vec<Citations> = checks
            .iter()
            .map(|(_, rows, _)| {
                let rows: Vec<CitationRow> = rows.iter().map(CitationRow::from).collect();
                Citations::decode(&Citations::encode(&rows), &mut texts).unwrap()
            })
            .collect();
        let grouped: Vec<GroupedDomain> = merges
            .iter()
            .map(|(from, to)| GroupedDomain {
                domain_id: texts.intern(DOMAINS[*from]),
                row_domain_id: texts.intern(DOMAINS[*to]),
            })
            .collect();
        let all = scan(&checks);

        let expected = ranked(all.iter().map(|(_, domain, _)| row_name(domain, &merges)));
        let top = top_domains(selected(&checks, &citations), &grouped, &texts, offset, limit);
        prop_assert_eq!(top.total, expected.len());
        let page: Vec<_> = expected.iter().skip(offset).take(limit).cloned().collect();
        prop_assert_eq!(named_rows(&top.rows, &texts), page);

        // The range is the days 1 to 8, so the checks of the days 0 and 9 do not count.
        let range = DateRange::parse(None, Some("1970-01-02"), Some("1970-01-09"), Day(8)).unwrap();
        let inside: Vec<_> = all.iter().filter(|(day, _, _)| range.contains(*day)).collect();
        let of_days = checks.iter().zip(selected(&checks, &citations));
        let of_days = of_days.map(|((day, ..), (segment, selection))| (*day, segment, selection));
        let trend = citation_trend(of_days, &grouped, &texts, range, limit);
        let mut expected_top = ranked(inside.iter().map(|(_, domain, _)| row_name(domain, &merges)));
        expected_top.truncate(limit);
        prop_assert_eq!(named_rows(&trend.rows, &texts), expected_top.clone());
        prop_assert_eq!(trend.days.iter().map(|(day, _)| day.0).collect::<Vec<_>>(), (1..=8).collect::<Vec<_>>());
        for (day, counts) in &trend.days {
            let count = |row: &str| {
                let of_row = inside.iter().filter(|(d, domain, _)| d == day && row_name(domain, &merges) == row);
                of_row.count() as u64
            };
            prop_assert_eq!(counts.clone(), expected_top.iter().map(|(_, row, _)| count(row)).collect::<Vec<_>>());
        }
        for (index, row) in trend.rows.iter().enumerate() {
            prop_assert_eq!(trend.days.iter().map(|(_, counts)| counts[index]).sum::<u64>(), row.count);
        }

        // The details of every row.
        for (_, row, count) in &expected {
            let domains: Vec<&str> = all.iter().map(|(_, domain, _)| domain.as_str()).collect();
            let domains: Vec<&str> = domains.into_iter().filter(|domain| row_name(domain, &merges) == row).collect();
            let mut urls = StringInterner::default();
            let links: Vec<Links> = checks
                .iter()
                .map(|(_, rows, _)| {
                    let buckets = Links::encode(rows);
                    assert_eq!(buckets.len(), 1);
                    Links::decode(&buckets[bucket_of(row, 1)], &domains, &mut urls).unwrap()
                })
                .collect();
            let of_row = all.iter().filter(|(_, domain, _)| row_name(domain, &merges) == row);
            let expected = ranked(of_row.map(|(_, _, url)| url.as_str()));
            let details = cited_urls(selected(&checks, &links), &urls, offset, limit);
            prop_assert_eq!(details.total, expected.len());
            let page: Vec<_> = expected.into_iter().skip(offset).take(limit).collect();
            prop_assert_eq!(named_rows(&details.rows, &urls), page);
            let whole = cited_urls(selected(&checks, &links), &urls, 0, usize::MAX);
            prop_assert_eq!(whole.rows.iter().map(|url| url.count).sum::<u64>(), *count);
        }
    }
}

#[test]
fn a_grouped_domain_with_an_unknown_id_has_no_effect() {
    let rows = [CitationRow {
        prompt: 0.into(),
        model: 0.into(),
        domains: vec![("a.com".to_owned(), 2)],
    }];
    let mut texts = StringInterner::default();
    let segment = Citations::decode(&Citations::encode(&rows), &mut texts).unwrap();
    let grouped = [(0, 9), (9, 0), (9, usize::MAX)].map(|(domain, row)| GroupedDomain {
        domain_id: StringId::from_index(domain),
        row_domain_id: StringId::from_index(row),
    });
    let top = top_domains(
        std::iter::once((&segment, &Selection::default())),
        &grouped,
        &texts,
        0,
        20,
    );
    assert_eq!(named_rows(&top.rows, &texts), [(1, "a.com".to_owned(), 2)]);
}
