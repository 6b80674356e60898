//! The forms of narration, reasoning, empty, cut and damaged answers, for every vendor.

use domain::answer::{Answer, Citation, CitationKind, FinishReason};
use reqwest::StatusCode;
use reqwest::header::HeaderMap;
use serde_json::{Value, json};

use super::*;
use crate::registry::decode_answer;
use crate::{AskError, HttpResponse};

const VENDORS: [&str; 6] = ["openai", "anthropic", "gemini", "perplexity", "xai", "mistral"];
const PAGE: &str = "https://source.example/page";

/// A part of an answer.
#[derive(Clone, Copy)]
enum Part {
    Text(&'static str),
    /// A text for which [`PAGE`] is reported as source.
    Cited(&'static str),
    /// A text that is declared to be a commentary. Only the Responses API can.
    Commentary(&'static str),
    /// A text with a source that is declared to be a commentary.
    CitedCommentary(&'static str),
    Declared(&'static str),
    Search,
    /// A search that finds nothing or fails. Mistral does not tell.
    VainSearch,
    /// A search that fails.
    FailedSearch,
}

#[derive(Clone, Copy, PartialEq)]
enum End {
    Complete,
    Cut,
}

use Part::{Cited, CitedCommentary, Commentary, Declared, FailedSearch, Search, Text, VainSearch};

/// What an answer must be: its text, its narration and the pages that it cites.
type Expected = Result<(&'static str, &'static [&'static str], &'static [&'static str]), &'static str>;

fn expressible(vendor: &str, part: Part) -> bool {
    let has_phases = matches!(vendor, "openai" | "xai" | "perplexity");
    match part {
        Text(_) | Cited(_) => true,
        Commentary(_) | CitedCommentary(_) | Declared(_) => has_phases,
        Search => vendor != "gemini",
        VainSearch => !matches!(vendor, "gemini" | "mistral"),
        FailedSearch => matches!(vendor, "openai" | "xai" | "anthropic"),
    }
}

fn body(vendor: &str, parts: &[Part], end: End) -> Value {
    match vendor {
        "anthropic" => anthropic(parts, end),
        "gemini" => gemini(parts, end),
        "mistral" => mistral(parts, end),
        _ => responses(vendor, parts, end),
    }
}

fn responses(vendor: &str, parts: &[Part], end: End) -> Value {
    let message = |text: &str, phase: Option<&str>, is_cited: bool| {
        let annotation = json!({"type": "url_citation", "url": PAGE, "title": "Page"});
        let annotations = if is_cited { vec![annotation] } else { Vec::new() };
        json!({"type": "message", "phase": phase, "content": [
            {"type": "output_text", "text": text, "annotations": annotations}]})
    };
    let search = |results: Value, status: &str| match vendor {
        "perplexity" => json!({"type": "search_results", "queries": ["q"], "results": results}),
        _ => json!({"type": "web_search_call", "status": status, "results": results,
            "action": {"type": "search", "query": "q"}}),
    };
    let found = json!([{"id": 1, "url": "https://result.example/1", "title": "R", "source": "web"}]);
    let item = |part: &Part| match *part {
        Text(text) => message(text, None, false),
        Cited(text) => message(text, None, true),
        Commentary(text) => message(text, Some("commentary"), false),
        CitedCommentary(text) => message(text, Some("commentary"), true),
        Declared(text) => message(text, Some("final_answer"), false),
        Search => search(found.clone(), "completed"),
        VainSearch => search(json!([]), "completed"),
        FailedSearch => search(Value::Null, "failed"),
    };
    let (status, reason) = match end {
        End::Complete => ("completed", Value::Null),
        End::Cut => ("incomplete", json!({"reason": "max_output_tokens"})),
    };
    json!({"status": status, "incomplete_details": reason, "output": parts.iter().map(item).collect::<Vec<_>>()})
}

fn anthropic(parts: &[Part], end: End) -> Value {
    let mut content = Vec::new();
    for (id, part) in parts.iter().enumerate() {
        let mut search = |result: Value| {
            content.push(json!({"type": "server_tool_use", "id": id.to_string(), "name": "web_search", "input": {"query": "q"}}));
            content.push(
                json!({"type": "web_search_tool_result", "tool_use_id": id.to_string(), "content": result}),
            );
        };
        match *part {
            Search => search(json!([{"type": "web_search_result", "url": "https://result.example/1"}])),
            VainSearch => search(json!([])),
            FailedSearch => {
                search(json!({"type": "web_search_tool_result_error", "error_code": "unavailable"}));
            }
            Cited(text) => content.push(json!({"type": "text", "text": text, "citations": [
                {"type": "web_search_result_location", "url": PAGE, "title": "Page"}]})),
            Text(text) | Commentary(text) | CitedCommentary(text) | Declared(text) => {
                content.push(json!({"type": "text", "text": text}));
            }
        }
    }
    let reason = if end == End::Cut { "max_tokens" } else { "end_turn" };
    json!({"stop_reason": reason, "content": content})
}

fn gemini(parts: &[Part], end: End) -> Value {
    let mut body = json!({"candidates": [{"content": {"parts": []}, "finishReason": "STOP",
        "groundingMetadata": {"webSearchQueries": ["q"]}}]});
    let candidate = &mut body["candidates"][0];
    for part in parts {
        if let Text(text) | Cited(text) = part {
            let spoken = candidate["content"]["parts"].as_array_mut().unwrap();
            spoken.push(json!({"text": text}));
        }
        if let Cited(_) = part {
            candidate["groundingMetadata"]["groundingChunks"] =
                json!([{"web": {"uri": PAGE, "title": "Page"}}]);
            candidate["groundingMetadata"]["groundingSupports"] = json!([{"groundingChunkIndices": [0]}]);
        }
    }
    if end == End::Cut {
        candidate["finishReason"] = json!("MAX_TOKENS");
    }
    body
}

fn mistral(parts: &[Part], end: End) -> Value {
    let entry = |part: &Part| match *part {
        Search | VainSearch | FailedSearch => {
            json!({"type": "tool.execution", "name": "web_search", "arguments": "{\"query\": \"q\"}"})
        }
        Cited(text) => json!({"type": "message.output", "content": [{"type": "text", "text": text},
            {"type": "tool_reference", "tool": "web_search", "url": PAGE, "title": "Page"}]}),
        Text(text) | Commentary(text) | CitedCommentary(text) | Declared(text) => {
            json!({"type": "message.output", "content": text})
        }
    };
    let tokens = if end == End::Cut { 1_000_000 } else { 5 };
    json!({"usage": {"completion_tokens": tokens}, "outputs": parts.iter().map(entry).collect::<Vec<_>>()})
}

fn decode(vendor: &str, body: Vec<u8>) -> Result<Answer, AskError> {
    let response = HttpResponse {
        status: StatusCode::OK,
        headers: HeaderMap::new(),
        body,
    };
    decode_answer(vendor, response).unwrap()
}

fn decoded(vendor: &str, parts: &[Part], end: End) -> Result<Answer, AskError> {
    decode(vendor, body(vendor, parts, end).to_string().into_bytes())
}

fn check(parts: &[Part], end: End, expected: Expected) {
    let mut tried = 0;
    for vendor in VENDORS {
        if !parts.iter().all(|part| expressible(vendor, *part)) {
            continue;
        }
        tried += 1;
        let answer = decoded(vendor, parts, end);
        match (answer, expected) {
            (Ok(answer), Ok((text, narration, citations))) => {
                let cited: Vec<&str> = answer.citations.iter().map(|cited| cited.url.as_str()).collect();
                let finish = if end == End::Cut {
                    FinishReason::Truncated
                } else {
                    FinishReason::Complete
                };
                // Parts of Gemini and blocks of Anthropic that follow each other are one text.
                let joined = matches!(vendor, "gemini" | "anthropic");
                let shown = |text: &str| {
                    if joined {
                        text.replace("\n\n", "")
                    } else {
                        text.to_owned()
                    }
                };
                assert_eq!(
                    (shown(&answer.text), answer.finish_reason),
                    (shown(text), finish),
                    "{vendor}"
                );
                assert_eq!(
                    (answer.narration, cited),
                    (
                        narration.iter().map(|n| (*n).to_owned()).collect(),
                        citations.to_vec()
                    ),
                    "{vendor}"
                );
            }
            (Err(error), Err(kind)) => {
                let found = match error {
                    AskError::Empty { .. } => "empty",
                    AskError::Permanent { .. } => "cut",
                    _ => "other",
                };
                assert_eq!(found, kind, "{vendor}");
            }
            (answer, expected) => panic!("{vendor}: {answer:?}, not {expected:?}"),
        }
    }
    assert!(tried > 0);
}

#[test]
fn what_a_model_says_before_a_search_or_in_a_commentary_is_narration() {
    let cases: &[(&[Part], Expected)] = &[
        (&[Text("Beta is good.")], Ok(("Beta is good.", &[], &[]))),
        (&[Cited("Beta is good.")], Ok(("Beta is good.", &[], &[PAGE]))),
        (
            &[Text("I look for Acme."), Search, Text("Beta.")],
            Ok(("Beta.", &["I look for Acme."], &[])),
        ),
        (
            &[
                Text("I look."),
                Search,
                Text("And again."),
                Search,
                Cited("Beta."),
            ],
            Ok(("Beta.", &["I look.", "And again."], &[PAGE])),
        ),
        (
            &[Cited("Acme."), Search, Text("Beta.")],
            Ok(("Acme.\n\nBeta.", &[], &[PAGE])),
        ),
        (
            &[Text("I look for Acme."), VainSearch, Text("Beta.")],
            Ok(("Beta.", &["I look for Acme."], &[])),
        ),
        (
            &[Search, Text("Acme."), Text("Beta.")],
            Ok(("Acme.\n\nBeta.", &[], &[])),
        ),
        (
            &[Commentary("Acme?"), Text("Beta.")],
            Ok(("Beta.", &["Acme?"], &[])),
        ),
        (
            &[Commentary("Acme?"), Search, Declared("Beta.")],
            Ok(("Beta.", &["Acme?"], &[])),
        ),
        (
            &[Commentary("Beta."), Declared("Beta.")],
            Ok(("Beta.", &["Beta."], &[])),
        ),
        (
            &[CitedCommentary("Acme?"), Declared("Beta.")],
            Ok(("Beta.", &["Acme?"], &[])),
        ),
        (
            &[Declared("Beta."), Search, Commentary("Done.")],
            Ok(("Beta.", &["Done."], &[])),
        ),
        (&[Text(" \n"), Search, Text("Beta.")], Ok(("Beta.", &[], &[]))),
    ];
    for (parts, expected) in cases {
        check(parts, End::Complete, *expected);
        check(parts, End::Cut, *expected);
    }
}

#[test]
fn a_text_before_last_searches_that_brought_nothing_is_the_answer() {
    const LIST: &str = "1. Acme\n2. Beta\n\nLet me verify prices.";
    for end in [End::Complete, End::Cut] {
        for search in [VainSearch, FailedSearch] {
            check(&[Text(LIST), search], end, Ok((LIST, &[], &[])));
            check(
                &[Text(LIST), search, VainSearch, Text("\n ")],
                end,
                Ok((LIST, &[], &[])),
            );
            check(
                &[Text("I look."), Search, Text(LIST), search],
                end,
                Ok((LIST, &["I look."], &[])),
            );
            check(
                &[Commentary("I look."), Text(LIST), search],
                end,
                Ok((LIST, &["I look."], &[])),
            );
            check(
                &[Text("One."), Text("Two."), search],
                end,
                Ok(("One.\n\nTwo.", &[], &[])),
            );
        }
    }
    for (end, error) in [(End::Complete, "empty"), (End::Cut, "cut")] {
        check(&[Text("I look for Acme."), Search], end, Err(error));
        check(&[Text("I look for Acme."), VainSearch, Search], end, Err(error));
        check(&[Text("I look for Acme."), Search, VainSearch], end, Err(error));
        check(&[Commentary("I look for Acme."), FailedSearch], end, Err(error));
    }
}

#[test]
fn reasoning_inside_the_text_is_narration_and_cites_nothing() {
    let cases: &[(&[Part], Expected)] = &[
        (
            &[Text("<think>\nAcme?\n</think>\n\nBeta.")],
            Ok(("Beta.", &["Acme?"], &[])),
        ),
        (
            &[Text("Acme?\n</think>\n\nBeta.")],
            Ok(("Beta.", &["Acme?"], &[])),
        ),
        (
            &[Search, Cited("<thinking>Acme?</thinking>Beta.")],
            Ok(("Beta.", &["Acme?"], &[PAGE])),
        ),
        (
            &[
                Text("<think>Acme?</think>"),
                Search,
                Text("<think>Hm.</think>Beta."),
            ],
            Ok(("Beta.", &["Acme?", "Hm."], &[])),
        ),
    ];
    for (parts, expected) in cases {
        check(parts, End::Complete, *expected);
    }
    check(&[Text("<think>Acme or")], End::Cut, Err("cut"));
    check(&[Text("<think>Acme?</think>\n")], End::Complete, Err("empty"));

    // Sources that stand in the reasoning.
    let text = "<think>\nSee [2].\n\nAnd [2] again.\n</think>\n\nI recommend Acme[1].";
    let results = json!([{"id": 1, "url": "https://a.example/1"}, {"id": 2, "url": "https://b.example/2"}]);
    let start = text.chars().count() - 2;
    let annotation = |url: &str, at: usize| json!({"type": "url_citation", "url": url, "start_index": at});
    let annotations = json!([
        annotation("https://c.example", 9),
        annotation("https://d.example", start)
    ]);
    let body = json!({"status": "completed", "output": [
        {"type": "search_results", "queries": ["q"], "results": results},
        {"type": "message", "content": [{"type": "output_text", "text": text, "annotations": annotations}]}]});
    let answer = decode("perplexity", body.to_string().into_bytes()).unwrap();
    let urls: Vec<&str> = answer.citations.iter().map(|cited| cited.url.as_str()).collect();
    assert_eq!(urls, ["https://d.example", "https://a.example/1"]);
}

#[test]
fn an_answer_without_a_word_is_empty_or_cut_and_says_the_vendors_word() {
    let silent: [&[Part]; 4] = [&[], &[Text("")], &[Text(" \n")], &[Search, Text("")]];
    for parts in silent {
        check(parts, End::Complete, Err("empty"));
        check(parts, End::Cut, Err("cut"));
    }
    for (vendor, complete, cut) in [
        ("openai", "", " (max_output_tokens)"),
        ("perplexity", "", " (max_output_tokens)"),
        ("xai", "", " (max_output_tokens)"),
        ("anthropic", " (end_turn)", " (max_tokens)"),
        ("gemini", " (stop)", " (max_tokens)"),
        ("mistral", "", ""),
    ] {
        let reason = |end| decoded(vendor, &[], end).unwrap_err().reason().to_owned();
        assert_eq!(reason(End::Complete), format!("the answer is empty{complete}"));
        assert_eq!(
            reason(End::Cut),
            format!("the answer was cut off before its first word{cut}")
        );
    }
    // A word that is none is not repeated.
    for stated in ["sk-12ab", "Why not?", ""] {
        let body = json!({"stop_reason": stated, "content": []});
        let error = decode("anthropic", body.to_string().into_bytes()).unwrap_err();
        assert_eq!(error.reason(), "the answer is empty");
    }
}

#[test]
fn a_damaged_character_is_no_reason_to_lose_an_answer() {
    for vendor in VENDORS {
        let whole = body(vendor, &[Text("Zorbium @ is good.")], End::Complete).to_string();
        for (damage, expected) in [
            (r"\ud83d".as_bytes(), "\u{fffd}"),
            (r"\udc00".as_bytes(), "\u{fffd}"),
            (r"\ud83dx\ud83d\ude00".as_bytes(), "\u{fffd}x😀"),
            (r"\ud83d\n".as_bytes(), "\u{fffd}\n"),
            (r"\\ud83d".as_bytes(), r"\ud83d"),
            (b"\xff", "\u{fffd}"),
            (b"\xf0\x9f\x98", "\u{fffd}"),
            (b"\n\t\x01", "\n\t\u{1}"),
        ] {
            let at = whole.find('@').unwrap();
            let (before, after) = (&whole.as_bytes()[..at], &whole.as_bytes()[at + 1..]);
            let damaged = [before, damage, after].concat();
            let answer =
                decode(vendor, damaged).unwrap_or_else(|error| panic!("{vendor} {expected:?}: {error}"));
            assert_eq!(answer.text, format!("Zorbium {expected} is good."), "{vendor}");
        }
        let marked = [b"\xef\xbb\xbf", whole.as_bytes()].concat();
        assert!(decode(vendor, marked).is_ok(), "{vendor}");
        let cut = &whole.as_bytes()[..whole.len() - 1];
        assert!(
            matches!(decode(vendor, cut.to_vec()), Err(AskError::AnswerLost { .. })),
            "{vendor}"
        );
    }
}

#[test]
fn links_in_the_text_of_an_answer_that_searched_are_citations() {
    let text = "Try [Vercel](https://vercel.example/docs?utm_source=openai), https://netlify.example/a_b_c. \
                <https://auto.example/x>，见 https://cjk.example/页。或 [source](https://www.source.example/page/). \
                `https://code.example/` [http](http://plain.example/) ![logo](https://image.example/logo.png)\n\n\
                ```\nhttps://block.example/\n```\n\n[again](https://netlify.example/a_b_c#top)";
    let linked = |url: &str| Citation {
        url: url.to_owned(),
        title: None,
        kind: CitationKind::InText,
    };
    for vendor in VENDORS {
        let mut parts = vec![Search, Cited("It leads. "), Text(text)];
        parts.retain(|part| expressible(vendor, *part));
        let answer = decoded(vendor, &parts, End::Complete).unwrap();
        let reported = Citation {
            url: PAGE.to_owned(),
            title: Some("Page".to_owned()),
            kind: CitationKind::Reported,
        };
        let expected = [
            reported,
            linked("https://vercel.example/docs?utm_source=openai"),
            linked("https://netlify.example/a_b_c"),
            linked("https://auto.example/x"),
            linked("https://cjk.example/页"),
        ];
        assert_eq!(answer.citations, expected, "{vendor}");
    }
    // Without a search, the model knows the addresses from memory.
    for vendor in ["openai", "anthropic", "perplexity", "xai", "mistral"] {
        let answer = decoded(vendor, &[Text(text)], End::Complete).unwrap();
        assert_eq!(answer.citations, [], "{vendor}");
    }
}

#[test]
fn a_reported_source_without_a_page_is_counted() {
    let mut builder = AnswerBuilder::default();
    builder.push_text("Well.");
    for url in ["sheds", "mailto:a@b.example", "sheds", "https://a.example/"] {
        builder.cite(&url.into(), &Value::Null, None);
    }
    builder.cite(&Value::Null, &"Title".into(), None);
    builder.add_unresolved_citation();
    let answer = builder.build(FinishReason::Complete, &Value::Null).unwrap();
    assert_eq!((answer.citations.len(), answer.unresolved_citations), (1, 3));
}

#[test]
fn titles_have_one_line_and_no_entities() {
    let mut builder = AnswerBuilder::default();
    builder.push_text("Well.");
    for (number, (title, _)) in TITLES.iter().enumerate() {
        builder.cite(
            &format!("https://a.example/{number}").into(),
            &(*title).into(),
            None,
        );
    }
    let answer = builder.build(FinishReason::Complete, &Value::Null).unwrap();
    let titles: Vec<Option<&str>> = answer
        .citations
        .iter()
        .map(|cited| cited.title.as_deref())
        .collect();
    assert_eq!(titles, TITLES.map(|(_, title)| title));
}

const TITLES: [(&str, Option<&str>); 6] = [
    ("Best\n  CRM \t2026", Some("Best CRM 2026")),
    ("AT&amp;T &#8211; &quot;News&quot;", Some("AT&T – \"News\"")),
    ("It&#x27;s&nbsp;here", Some("It's here")),
    ("Q&A & more &unknown;", Some("Q&A & more &unknown;")),
    ("&nbsp;", None),
    (" \n", None),
];
