//! Fixed rows and the bytes that they are stored as. Segments are read for 400 days: these bytes must never
//! change.

use domain::answer::{Citation, ResponseState};
use domain::check::Response;
use domain::family::Family;
use domain::ordinal::BrandOrdinal;
use domain::revision::Revision;
use domain::time::Timestamp;

use super::codec::decode_segment;
use super::families::{
    CitationRow, Citations, FanoutRow, Fanouts, LinkRow, Links, ResponseRow, Responses, Visibility,
    VisibilityCell, encode_check,
};
use super::test_data;

/// Returns the hash of a segment's columns, which do not depend on the version of zstd.
fn columns(family: Family, segment: &[u8]) -> String {
    Revision::of(&decode_segment(family, segment).unwrap()).to_string()
}

fn response(prompt: u32, model: u32, brands: &[u32], urls: &[&str], queries: &[&str]) -> Response {
    let cited = |url: &&str| Citation {
        url: (*url).to_owned(),
        title: None,
        ..Default::default()
    };
    Response {
        state: ResponseState::Answered,
        answered_at: Timestamp::from_millis(1_760_000_000_000 + i64::from(1_000 * prompt + 7 * model)),
        citations: urls.iter().map(cited).collect(),
        queries: queries.iter().map(|query| (*query).to_owned()).collect(),
        searched: Some(!queries.is_empty()),
        truncated: model == 2,
        brands: brands.iter().copied().map(BrandOrdinal::new).collect(),
        ..Response::failed(prompt.into(), model.into(), "", Timestamp::from_millis(0))
    }
}

fn responses() -> Vec<Response> {
    let urls = [
        "https://www.acme.com/a?utm_source=x",
        "https://blog.acme.com/b",
        "https://acme.co.uk:8080/ü?q=1",
        "http://[::1]:81/x",
    ];
    let queries = ["Best CRM", "best  crm", "Straße 🦀", "STRASSE 🦀"];
    vec![
        response(3, 2, &[5, 1], &urls, &queries),
        response(0, 1, &[1], &urls[..2], &queries[..1]),
        response(0, 2, &[], &[], &[]),
        response(3, 1, &[5, 1], &urls[1..], &queries[2..]),
        Response::failed(
            300.into(),
            1.into(),
            "overloaded",
            Timestamp::from_millis(1_760_000_009_999),
        ),
    ]
}

#[test]
fn the_segments_of_a_few_responses_keep_their_bytes() {
    let encoded = encode_check(&responses());
    let links: Vec<String> = encoded.links.iter().map(hex::encode).collect();
    for (family, segment, expected) in [
        (
            "visibility",
            hex::encode(&encoded.visibility),
            "0101001b030002a80202020100010100000101060501ffff0000ff030100020dcb894e",
        ),
        (
            "citations",
            hex::encode(&encoded.citations),
            "010200320200020201010201000001035b3a3a315dff61636d652e636f2e756bff61636d652e636f6dff0202050101010100000101004421bd24",
        ),
        (
            "links",
            links.join(" "),
            "0103005f0200020201010201000001035b3a3a315dff61636d652e636f2e756bff61636d652e636f6dff0b1615017c3a38312f78ff020101017c3a383038302f2543332542433f713d31ff02010102626c6f672e7c2f62ff7c2f61ff030200010100025d52c7f4",
        ),
        (
            "fanouts",
            hex::encode(&encoded.fanouts),
            "0104006502000202010102010000018e80e682b9660200b8bf000b0b01020404426573742043524dff5354524153534520f09fa680ff53747261c39f6520f09fa680ff626573742063726dff01020c7374726173736520f09fa6800100040000000000020100030201041d368f",
        ),
        (
            "responses",
            hex::encode(&encoded.responses),
            "0105002e030002a8020202010001010000018e80e682b966020007b8bf0800000b0b270403040500020003040001000204002a31bb8d",
        ),
    ] {
        assert_eq!(segment, expected, "{family}");
    }
}

#[test]
fn the_columns_of_a_large_check_keep_their_bytes() {
    let links = test_data::World::new(60, 4).day(3);
    let citations: Vec<CitationRow> = links.iter().map(CitationRow::from).collect();
    let buckets = Links::encode(&links);
    let bucket = |bucket: &Vec<u8>| columns(Family::Links, bucket);
    let buckets: Vec<String> = buckets.iter().map(bucket).collect();
    let rows = test_data::check(60, 4, 3).into_iter().map(|cell| {
        let (prompt, model) = (cell.prompt.get(), cell.model.get());
        ResponseRow {
            prompt: cell.prompt,
            model: cell.model,
            answered_at: Timestamp::from_millis(1_760_000_000_000 + i64::from(977 * prompt + model)),
            searched: (model > 0).then_some(prompt % 3 == 0),
            truncated: cell.brands.len() > 2,
            citations: 3 * prompt,
            fanouts: model,
        }
    });
    let rows: Vec<ResponseRow> = rows.collect();
    for (family, columns, expected) in [
        (
            "visibility",
            columns(
                Family::Visibility,
                &Visibility::new(test_data::check(60, 4, 3)).encode(),
            ),
            "21f53c908c1d",
        ),
        (
            "citations",
            columns(Family::Citations, &Citations::encode(&citations)),
            "7d98b59135db",
        ),
        (
            "links",
            buckets.join(" "),
            "ae265047b99c 03b022014d63 987cb62f6320 b87a8c4c4c7b",
        ),
        (
            "fanouts",
            columns(
                Family::Fanouts,
                &Fanouts::encode(test_data::fanouts::day(60, 4, 3, 3)),
            ),
            "49ad63363fa6",
        ),
        (
            "responses",
            columns(Family::Responses, &Responses::encode(rows)),
            "216266a53146",
        ),
    ] {
        assert_eq!(columns, expected, "{family}");
    }
}

#[test]
fn segments_without_rows_keep_their_bytes() {
    let none: Vec<FanoutRow> = Vec::new();
    let cells: Vec<VisibilityCell> = Vec::new();
    let links: Vec<LinkRow> = Vec::new();
    for (family, segment, expected) in [
        (
            "visibility",
            Visibility::new(cells).encode(),
            "0101000300000081a8f2e2",
        ),
        ("citations", Citations::encode(&[]), "010200030000002fda6664"),
        ("links", Links::encode(&links).concat(), "010300030000008a093aaf"),
        ("fanouts", Fanouts::encode(none), "010400060000000000007e677432"),
        (
            "responses",
            Responses::encode(Vec::new()),
            "01050004000000009056300e",
        ),
    ] {
        assert_eq!(hex::encode(segment), expected, "{family}");
    }
}
