use std::collections::BTreeSet;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::codec::{Selection, StringId};
use crate::families::CitedText;
use crate::test_data;

/// Decodes the URLs of these domains from all buckets, with their counts.
fn decoded_counts(buckets: &[Vec<u8>], domains: &[&str]) -> BTreeMap<String, u64> {
    let mut texts = StringInterner::default();
    let mut counts = BTreeMap::new();
    for (index, sealed) in buckets.iter().enumerate() {
        let here = domains
            .iter()
            .copied()
            .filter(|d| bucket_of(d, buckets.len()) == index);
        let here: Vec<&str> = here.collect();
        let links = Links::decode(sealed, &here, &mut texts).unwrap();
        for cited in links.counts(&Selection::default()) {
            let before = counts.insert(texts.get(cited.text_id).to_owned(), cited.count);
            assert_eq!(before, None, "a URL of one bucket alone");
        }
    }
    counts
}

/// Computes the counts by testing every URL of every row.
fn scan(rows: &[LinkRow], domains: &[&str]) -> BTreeMap<String, u64> {
    let mut seen = Vec::new();
    let mut counts = BTreeMap::new();
    for row in rows {
        if seen.contains(&(row.prompt, row.model)) {
            continue;
        }
        seen.push((row.prompt, row.model));
        let mut urls: Vec<_> = row
            .urls
            .iter()
            .filter(|url| domains.contains(&url.registrable()))
            .collect();
        urls.sort();
        urls.dedup();
        for url in urls {
            *counts.entry(url.to_string()).or_default() += 1;
        }
    }
    counts
}

proptest! {
    #[test]
    fn a_domains_urls_are_those_of_the_rows(rows in test_data::link_rows()) {
        let buckets = Links::encode(&rows);
        for domains in [&["a.com"][..], &["b.co.uk", "192.168.1.1", "[::1]", "c.de"], &["none.com"], &[]] {
            prop_assert_eq!(decoded_counts(&buckets, domains), scan(&rows, domains));
        }
    }

    #[test]
    fn citations_by_prompt_are_those_of_the_rows(
        rows in test_data::link_rows().prop_map(once_each), selection in test_data::selection(),
    ) {
        let (buckets, mut texts) = (Links::encode(&rows), StringInterner::default());
        for domains in [&["a.com"][..], &["b.co.uk", "192.168.1.1", "c.de"], &["none.com"], &[]] {
            let (mut counts, mut expected) = ([1; 6], [1; 6]);
            for bucket in &buckets {
                let links = Links::decode(bucket, domains, &mut texts).unwrap();
                links.count_by_prompt(&selection, &mut counts);
            }
            for row in rows.iter().filter(|row| selection.contains(row.prompt, row.model)) {
                let urls: BTreeSet<_> = row.urls.iter().filter(|url| domains.contains(&url.registrable())).collect();
                if let Some(sum) = expected.get_mut(row.prompt.index()) {
                    *sum += urls.len() as u64;
                }
            }
            prop_assert_eq!(counts, expected);
        }
    }

    #[test]
    fn equal_rows_in_any_order_give_equal_bytes(
        (one, mut other) in test_data::link_rows().prop_map(once_each)
            .prop_flat_map(|rows| (Just(rows.clone()), Just(rows).prop_shuffle())),
    ) {
        for row in &mut other {
            row.urls.reverse();
        }
        prop_assert_eq!(Links::encode(&one), Links::encode(&other));
    }

    #[test]
    fn no_columns_make_decoding_panic(
        columns in vec(prop_oneof![9 => 0u8..4, 1 => any::<u8>()], 0..60), bytes in vec(any::<u8>(), 0..60),
    ) {
        let mut texts = StringInterner::default();
        let domains = ["", "\0", "\u{1}", "\0\0", "\u{1}\u{1}"];
        prop_assert!(Links::decode(&bytes, &domains, &mut texts).is_err());
        if let Ok(links) = Links::decode(&encode_segment(Family::Links, &columns), &domains, &mut texts) {
            let all: u64 = links.counts(&Selection::default()).map(|cited| cited.count).sum();
            prop_assert!(all <= columns.len() as u64);
        }
    }
}

fn once_each(mut rows: Vec<LinkRow>) -> Vec<LinkRow> {
    let mut seen = Vec::new();
    rows.retain(|row| {
        let is_new = !seen.contains(&(row.prompt, row.model));
        seen.push((row.prompt, row.model));
        is_new
    });
    rows
}

#[test]
fn every_changed_bit_and_every_missing_end_is_an_error() {
    let world = test_data::World::new(6, 3);
    let mut sealed = Links::encode(&world.day(1));
    sealed.extend(Links::encode(&[]));
    assert_eq!(sealed.len(), 2);
    for sealed in sealed {
        let mut texts = StringInterner::default();
        let wanted = [world.domain(0)];
        for at in 0..sealed.len() {
            assert!(
                Links::decode(&sealed[..at], &wanted, &mut texts).is_err(),
                "{at} bytes"
            );
            for bit in 0..8 {
                let mut changed = sealed.clone();
                changed[at] ^= 1 << bit;
                assert!(
                    Links::decode(&changed, &wanted, &mut texts).is_err(),
                    "byte {at}, bit {bit}"
                );
            }
        }
    }
}

#[test]
fn contradictory_columns_are_an_error() {
    let decoded = |columns: &[u8]| {
        let sealed = encode_segment(Family::Links, columns);
        Links::decode(&sealed, &["a"], &mut StringInterner::default())
            .map(|s| s.counts(&Selection::default()).collect())
    };
    // Prompt 0 with model 0; one domain, `a`; seven bytes: one URL, with the path `/b`, and one citation of
    // it in row 0.
    let good = [
        1, 0, 1, 1, 0, 0, 1, b'a', 0xff, 7, 1, b'|', b'/', b'b', 0xff, 1, 0,
    ];
    assert_eq!(
        decoded(&good),
        Ok(vec![CitedText {
            text_id: StringId::from_index(0),
            count: 1
        }])
    );
    for (at, byte) in [
        (9, 6),
        (9, 8),
        (10, 0),
        (10, 2),
        (14, b'c'),
        (15, 0),
        (15, 2),
        (16, 1),
    ] {
        let mut bad = good;
        bad[at] = byte;
        assert_eq!(decoded(&bad), Err(SegmentError::InvalidColumns), "{byte} at {at}");
    }
}

#[test]
fn the_links_of_other_domains_are_skipped() {
    // The segment also has the domain `b`, whose links are invalid.
    let sealed = encode_segment(Family::Links, &[1, 0, 1, 1, 0, 0, 1, b'b', 0xff, 1, 255]);
    let decode = |domain| Links::decode(&sealed, &[domain], &mut StringInterner::default());
    assert_eq!(
        decode("a").map(|links| links.counts(&Selection::default()).count()),
        Ok(0)
    );
    assert_eq!(decode("b"), Err(SegmentError::InvalidColumns));
}

#[test]
fn buckets_are_a_power_of_two_of_a_few_kilobytes() {
    for (prompts, models, buckets) in [(2, 2, 1), (200, 5, 16), (800, 5, 64)] {
        let rows = test_data::World::new(prompts, models).day(1);
        let sealed = Links::encode(&rows);
        assert_eq!(sealed.len(), buckets);
        let mut sizes: Vec<usize> = sealed.iter().map(Vec::len).collect();
        sizes.sort_unstable();
        assert!(sizes[sizes.len() / 2] <= 5_000, "{sizes:?}");
    }
}

#[test]
fn the_bucket_of_a_domain_never_changes() {
    assert_eq!(
        ["example.com", "rivers.co.uk", "[::1]"].map(|domain| bucket_of(domain, 64)),
        [57, 17, 63]
    );
    assert_eq!(bucket_of("example.com", 1), 0);
    assert_eq!(bucket_of("example.com", 0), 0);
}

#[test]
fn a_shortened_url_is_restored() {
    for (url, short) in [
        ("https://example.com", "|"),
        ("https://example.com/a/b?c=d:e|f", "|/a/b?c=d:e|f"),
        ("https://example.com:8080/a.b", "|:8080/a.b"),
        ("https://blog.docs.example.co.uk", "blog.docs.|"),
        (
            "https://example.com.example.com/example.com",
            "|.example.com/example.com",
        ),
        (
            "https://example.github.io/example.github.io",
            "|/example.github.io",
        ),
        ("https://github.io/a", "|/a"),
        ("https://192.168.1.1:81/a", "|:81/a"),
        ("https://[2001:db8::1]:81/a", "|:81/a"),
        ("https://localhost/a", "|/a"),
    ] {
        let canonical = CanonicalUrl::parse(url).unwrap();
        assert_eq!(canonical.as_str(), url);
        assert_eq!(shortened(&canonical), short);
        assert_eq!(restored(short, canonical.registrable()), url);
    }
}
