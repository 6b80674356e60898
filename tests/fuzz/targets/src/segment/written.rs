//! Segments of generated responses contain what was folded into them.

use std::collections::{BTreeMap, HashSet};

use domain::answer::{Citation, ResponseState};
use domain::check::Response;
use domain::ordinal::BrandOrdinal;
use domain::revision::Revision;
use domain::time::Timestamp;
use facts::families::{
    CitationRow, Citations, EncodedCheck, Fanouts, LinkRow, Links, Responses, Visibility, bucket_of,
    encode_check, fanout_row, response_row,
};
use facts::{Selection, StringInterner};

/// Generates responses from the bytes, folds them into segments, decodes them, and asserts that all families
/// agree.
pub(super) fn run(data: &[u8]) {
    let mut given = made(data);
    let folded = encode_check(&given);
    given.sort_by_key(|response| (response.prompt, response.model));
    given.dedup_by_key(|response| (response.prompt, response.model));
    let mut reversed = given.clone();
    reversed.reverse();
    assert_eq!(
        encode_check(&reversed),
        folded,
        "the order of the responses shows"
    );

    let cells = Visibility::decode(&folded.visibility).unwrap();
    let expected = given.iter().map(|r| (r.prompt, r.model, r.state, &r.brands[..]));
    let found = cells.cells().map(|c| (c.prompt, c.model, c.state, c.brands));
    assert!(found.eq(expected));
    let rows = Responses::decode(&folded.responses).unwrap();
    assert!(rows.rows().eq(given.iter().map(response_row)));
    cited(&folded, &given);
    searched(&folded, &given);
    for sealed in [
        &folded.visibility,
        &folded.citations,
        &folded.fanouts,
        &folded.responses,
    ] {
        let revision = Revision::of(sealed);
        assert_eq!(revision.to_string().parse(), Ok(revision));
    }
}

/// Asserts that both families of citations count the citations of the responses.
fn cited(folded: &EncodedCheck, given: &[Response]) {
    let all = Selection::default();
    let mut texts = StringInterner::default();
    let segment = Citations::decode(&folded.citations, &mut texts).unwrap();
    let links: Vec<LinkRow> = given.iter().map(LinkRow::from_response).collect();
    let expected = links.iter().flat_map(|row| CitationRow::from(row).domains);
    let mut counts = BTreeMap::<String, u64>::new();
    for (domain, count) in expected {
        *counts.entry(domain).or_default() += u64::from(count);
    }
    let found = segment
        .counts(&all)
        .map(|domain| (texts.get(domain.text_id).to_owned(), domain.count));
    assert_eq!(found.collect::<BTreeMap<_, _>>(), counts);
    for (domain, count) in &counts {
        let bucket = &folded.links[bucket_of(domain, folded.links.len())];
        let mut urls = StringInterner::default();
        let links = Links::decode(bucket, &[domain], &mut urls).unwrap();
        assert_eq!(
            links.counts(&all).map(|url| url.count).sum::<u64>(),
            *count,
            "the URLs of {domain}"
        );
    }
}

/// Asserts that searches are kept as they were run, except for their white space.
fn searched(folded: &EncodedCheck, given: &[Response]) {
    let mut texts = StringInterner::default();
    let segment = Fanouts::decode(&folded.fanouts, &mut texts).unwrap();
    let found = segment.rows().map(|row| {
        let queries: Vec<String> = row.spelled.iter().map(|n| texts.get(*n).to_owned()).collect();
        (row.prompt, row.model, row.answered_at, queries)
    });
    let expected = given.iter().map(fanout_row).filter_map(|row| {
        let one_line = |query: &String| query.split_whitespace().collect::<Vec<_>>().join(" ");
        let queries = row.queries.iter().map(one_line).filter(|query| !query.is_empty());
        let queries: Vec<String> = queries.collect();
        (!queries.is_empty()).then_some((row.prompt, row.model, row.answered_at, queries))
    });
    assert!(found.eq(expected));
}

/// Generates one response per line: five bytes of numbers, and then texts that are cited or searched for.
pub(super) fn made(data: &[u8]) -> Vec<Response> {
    let mut seen = HashSet::new();
    let line = |line: &[u8]| {
        let [prompt, model, state, at, brands, texts @ ..] = line else {
            return None;
        };
        let texts = String::from_utf8_lossy(texts);
        let texts: Vec<&str> = texts.split('\t').filter(|text| !text.is_empty()).collect();
        let cited = texts
            .iter()
            .filter(|text| text.contains("://"))
            .map(|url| Citation {
                url: (*url).to_owned(),
                title: None,
                ..Default::default()
            });
        let queries = texts.iter().filter(|text| !text.contains("://"));
        let (prompt, model) = (u32::from(*prompt), u32::from(*model % 8));
        Some(Response {
            state: [
                ResponseState::Answered,
                ResponseState::Answered,
                ResponseState::Refused,
                ResponseState::Failed,
            ][usize::from(state % 4)],
            citations: cited.collect(),
            queries: queries.map(|query| (*query).to_owned()).collect(),
            searched: [None, Some(false), Some(true)][usize::from(at % 3)],
            truncated: state & 4 > 0,
            brands: (0..8)
                .filter(|brand| brands >> brand & 1 > 0)
                .map(BrandOrdinal::new)
                .collect(),
            ..Response::failed(
                prompt.into(),
                model.into(),
                "",
                Timestamp::from_millis(i64::from(*at) << (brands % 40)),
            )
        })
    };
    let responses = data.split(|byte| *byte == b'\n').filter_map(line);
    responses.filter(|r| seen.insert((r.prompt, r.model))).collect()
}
