//! Fact segments. The first byte selects the family, and the rest is its columns or a whole sealed segment,
//! or one of the two kinds of input of the modules below.

mod written;

use domain::answer::ResponseState;
use domain::family::Family;
use domain::ordinal::{ModelOrdinal, PromptOrdinal};
use domain::ordinal_set::OrdinalSet;
use facts::codec::{MAX_PAYLOAD_BYTES, decode_segment, encode_segment};
use facts::families::{
    Citations, CitedText, FanoutRow, Fanouts, Links, ResponseRow, Responses, Visibility, VisibilityCell,
    encode_check,
};
use facts::{SegmentError, Selection, StringInterner};

/// The domains whose links are read.
const DOMAINS: [&str; 3] = ["example.com", "acme.co.uk", "192.168.1.1"];

pub(crate) fn run(data: &[u8]) {
    let Some((first, rest)) = data.split_first() else {
        return;
    };
    let family = Family::ALL.get(usize::from(first % 8)).copied();
    let Some(family) = family else {
        return written::run(rest);
    };
    let (columns, sealed) = if first & 0x80 == 0 {
        (rest.to_vec(), encode_segment(family, rest))
    } else {
        let Ok(columns) = decode_segment(family, rest) else {
            return refused(rest);
        };
        assert!(columns.len() <= MAX_PAYLOAD_BYTES);
        (columns, rest.to_vec())
    };
    assert_eq!(decode_segment(family, &sealed).as_ref(), Ok(&columns));
    for other in Family::ALL.into_iter().filter(|other| *other != family) {
        assert_eq!(decode_segment(other, &sealed), Err(SegmentError::WrongFamily));
    }
    match family {
        Family::Visibility => visibility(&sealed),
        Family::Citations => citations(&sealed),
        Family::Links => links(&sealed),
        Family::Fanouts => fanouts(&sealed),
        Family::Responses => responses(&sealed),
    }
}

/// Asserts that no family decodes a segment that no family can open.
fn refused(sealed: &[u8]) {
    let mut texts = StringInterner::default();
    let is_open = |family| decode_segment(family, sealed).is_ok();
    assert!(Visibility::decode(sealed).is_err() || is_open(Family::Visibility));
    assert!(Citations::decode(sealed, &mut texts).is_err() || is_open(Family::Citations));
    assert!(Links::decode(sealed, &DOMAINS, &mut texts).is_err() || is_open(Family::Links));
    assert!(Fanouts::decode(sealed, &mut texts).is_err() || is_open(Family::Fanouts));
    assert!(Responses::decode(sealed).is_err() || is_open(Family::Responses));
}

fn visibility(sealed: &[u8]) {
    let Ok(segment) = Visibility::decode(sealed) else {
        return;
    };
    let again = Visibility::decode(&segment.encode());
    assert!(again.is_ok_and(|again| again.cells().eq(segment.cells())));
    assert!(
        segment
            .cells()
            .is_sorted_by(|a, b| (a.prompt, a.model) < (b.prompt, b.model))
    );
}

fn citations(sealed: &[u8]) {
    let mut texts = StringInterner::default();
    let Ok(segment) = Citations::decode(sealed, &mut texts) else {
        return;
    };
    let all = Selection::default();
    let counts: Vec<CitedText> = segment.counts(&all).collect();
    assert!(counts.iter().all(|cited| cited.text_id.index() < texts.len()));
    assert!(segment.counts_of(&all, |_| true).eq(counts.iter().copied()));
    let total: u64 = counts.iter().map(|cited| cited.count).sum();
    let citing: u64 = segment
        .citing(&all, |_| true)
        .iter()
        .map(|citing| citing.count)
        .sum();
    assert_eq!(citing, total);
    // One filter selects nothing, and the other selects everything that has small numbers.
    let none = Selection {
        models: Some(OrdinalSet::default()),
        prompts: None,
    };
    assert!(segment.counts(&none).all(|cited| cited.count == 0));
    let some = Selection {
        models: Some((0..64).map(ModelOrdinal::new).collect()),
        prompts: Some((0..64).map(PromptOrdinal::new).collect()),
    };
    assert!(segment.counts(&some).eq(segment.counts_of(&some, |_| true)));
}

fn links(sealed: &[u8]) {
    let mut texts = StringInterner::default();
    let Ok(segment) = Links::decode(sealed, &DOMAINS, &mut texts) else {
        return;
    };
    let mut none = StringInterner::default();
    assert!(Links::decode(sealed, &[], &mut none).is_ok() && none.is_empty());
    for cited in segment.counts(&Selection::default()) {
        let url = texts.get(cited.text_id);
        assert!(url.starts_with("https://") && DOMAINS.iter().any(|domain| url.contains(domain)));
    }
}

fn fanouts(sealed: &[u8]) {
    let mut texts = StringInterner::default();
    let Ok(segment) = Fanouts::decode(sealed, &mut texts) else {
        return;
    };
    let rows = |segment: &Fanouts, texts: &StringInterner| -> Vec<FanoutRow> {
        let row = segment.rows().map(|row| FanoutRow {
            prompt: row.prompt,
            model: row.model,
            answered_at: row.answered_at,
            queries: row
                .spelled
                .iter()
                .map(|number| texts.get(*number).to_owned())
                .collect(),
        });
        row.collect()
    };
    for row in segment.rows() {
        assert!(row.spelled.len() == row.folded.len() && !row.spelled.is_empty());
    }
    // Columns can hold queries in a form that is never written. Once written, they stay unchanged.
    let once = Fanouts::encode(rows(&segment, &texts));
    let mut texts = StringInterner::default();
    let decoded = Fanouts::decode(&once, &mut texts).unwrap();
    assert_eq!(Fanouts::encode(rows(&decoded, &texts)), once);
}

fn responses(sealed: &[u8]) {
    let Ok(segment) = Responses::decode(sealed) else {
        return;
    };
    let rows: Vec<ResponseRow> = segment.rows().collect();
    let again = Responses::decode(&Responses::encode(rows.clone())).unwrap();
    assert!(again.rows().eq(rows.iter().copied()));
    assert!(segment.selected(&Selection::default()).eq(rows));
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let mut lines = Vec::new();
    for (place, answer) in (b'a'..).zip(crate::provider::answers()) {
        for model in b"01" {
            lines.extend([place, *model, place, b'x', place]);
            let cited = answer.citations.iter().map(|cited| &cited.url);
            for text in answer.queries.iter().chain(cited) {
                lines.extend(text.replace(['\n', '\t'], " ").bytes());
                lines.push(b'\t');
            }
            lines.push(b'\n');
        }
    }
    lines.extend(
        b"zzaaa https://example.com/a\thttps://docs.acme.co.uk/?b=c\thttp://192.168.1.1:81/x\tStra\xc3\x9fe",
    );
    let folded = encode_check(&written::made(&lines));
    let mut seeds = vec![[&[7], &lines[..]].concat(), vec![7]];
    let mut sealed: Vec<(Family, Vec<u8>)> = vec![
        (Family::Visibility, folded.visibility),
        (Family::Citations, folded.citations),
        (Family::Fanouts, folded.fanouts),
        (Family::Responses, folded.responses),
    ];
    sealed.extend(folded.links.into_iter().map(|bucket| (Family::Links, bucket)));
    let cell = |prompt: u32, model: u32| VisibilityCell {
        prompt: prompt.into(),
        model: model.into(),
        state: ResponseState::Answered,
        brands: vec![prompt.into(), 1_000.into()],
        model_version: (model > 0).then(|| "v1".to_owned()),
    };
    let cells = (0..40).flat_map(|prompt| [cell(prompt, 0), cell(prompt, 700)]);
    sealed.push((Family::Visibility, Visibility::new(cells.collect()).encode()));
    for (family, sealed) in sealed {
        let index = Family::ALL.iter().position(|known| *known == family).unwrap();
        let index = u8::try_from(index).unwrap();
        seeds.push([&[index], &decode_segment(family, &sealed).unwrap()[..]].concat());
        seeds.push([&[index | 0x80], &sealed[..]].concat());
    }
    seeds
}
