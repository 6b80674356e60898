use domain::answer::{Citation, FinishReason};
use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::testing::{assert_valid, damaged};

const FIXTURE: &str = include_str!("../../../fixtures/anthropic-search.json");

fn decode(stop_reason: &str, content: &Value) -> Result<Answer, AskError> {
    let body = json!({"stop_reason": stop_reason, "content": content});
    Turn::decode(body.to_string().as_bytes())?.into_answer()
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

#[test]
fn a_response_is_decoded_to_the_byte() {
    let answer = Turn::decode(FIXTURE.as_bytes()).unwrap().into_answer().unwrap();
    let cited = |url: &str, title: &str| Citation {
        url: url.to_owned(),
        title: Some(title.to_owned()),
        ..Default::default()
    };
    let expected = Answer {
        text: "🏡 **Shedwright** is tested: it stands 20 years.\n\n\
               Préfère-t-on du bois?\u{a0}Oui."
            .to_owned(),
        narration: vec!["I'll look for garden sheds.".to_owned()],
        finish_reason: FinishReason::Complete,
        citations: vec![
            cited(
                "https://sheds.example/best?utm_source=x",
                "Best sheds – “tested” 🏡",
            ),
            cited("https://forum.example/t/42#post-7", "Which shed?"),
        ],
        unresolved_citations: 0,
        queries: [
            "best garden sheds 2026",
            "Gartenhäuser Vergleich 🏡",
            "best garden sheds 2026",
        ]
        .map(str::to_owned)
        .to_vec(),
        searched: Some(true),
        input_tokens: 1234,
        output_tokens: 567,
        cost_micros: None,
        model_version: Some("claude-haiku-5-5-20260901".to_owned()),
    };
    assert_eq!(answer, expected);
}

#[test]
fn each_stop_reason_has_its_meaning() {
    for (stop_reason, end) in [
        ("end_turn", FinishReason::Complete),
        ("stop_sequence", FinishReason::Complete),
        ("new", FinishReason::Complete),
        ("max_tokens", FinishReason::Truncated),
        ("model_context_window_exceeded", FinishReason::Truncated),
        ("pause_turn", FinishReason::Truncated),
        ("refusal", FinishReason::Refused),
    ] {
        let answer = decode(stop_reason, &json!([text("Well.")])).unwrap();
        assert_eq!(
            (answer.finish_reason, answer.text.as_str()),
            (end, "Well."),
            "{stop_reason}"
        );
        let silent = decode(stop_reason, &json!([text(" \n")]));
        assert_eq!(silent.is_ok(), end == FinishReason::Refused, "{stop_reason}");
    }
    let refusal =
        json!({"stop_reason": "refusal", "stop_details": {"type": "refusal", "explanation": "Not that."}});
    let answer = Turn::decode(refusal.to_string().as_bytes())
        .unwrap()
        .into_answer()
        .unwrap();
    assert_eq!(
        (answer.finish_reason, answer.text.as_str()),
        (FinishReason::Refused, "Not that.")
    );
}

#[test]
fn an_answer_from_memory_and_one_after_failed_searches_are_not_searched() {
    let call =
        |name: &str| json!({"type": "server_tool_use", "id": "s", "name": name, "input": {"query": "q"}});
    let error = json!({"type": "web_search_tool_result", "tool_use_id": "s",
        "content": {"type": "web_search_tool_result_error", "error_code": "unavailable"}});
    for content in [
        json!([text("a")]),
        json!([call("web_search"), error, text("a")]),
        json!([call("web_fetch"), text("a")]),
    ] {
        let answer = decode("end_turn", &content).unwrap();
        assert_eq!((answer.searched, answer.queries.len()), (Some(false), 0));
    }
    let answer = decode("end_turn", &json!([call("web_search"), text("a")])).unwrap();
    assert_eq!(
        (answer.searched, answer.queries),
        (Some(true), vec!["q".to_owned()])
    );
}

fn search(id: &str) -> Value {
    json!({"type": "server_tool_use", "id": id, "name": "web_search", "input": {"query": id}})
}

fn result(id: &str) -> Value {
    json!({"type": "web_search_tool_result", "tool_use_id": id, "content": [
        {"type": "web_search_result", "url": "https://a.example/", "title": "A", "encrypted_content": "b3Bh"}]})
}

fn cited(text: &str) -> Value {
    json!({"type": "text", "text": text, "citations": [{"type": "web_search_result_location",
        "url": "https://a.example/", "title": "A", "cited_text": "…", "encrypted_index": "eA"}]})
}

/// Decodes a complete turn, and returns its narration and its text.
fn read(content: &Value) -> (Vec<String>, String) {
    let answer = decode("end_turn", content).unwrap();
    (answer.narration, answer.text)
}

fn expected(narration: &[&str], text: &str) -> (Vec<String>, String) {
    (
        narration.iter().map(|passage| (*passage).to_owned()).collect(),
        text.to_owned(),
    )
}

#[test]
fn a_text_without_citations_that_a_search_follows_is_narration() {
    let content = json!([
        text("Ich suche 🏡."),
        search("q1"),
        result("q1"),
        text("One more search."),
        search("q2"),
        result("q2"),
        text("Based on this, "),
        cited("Acme is good"),
        text(".\n\nUnfortunately, that is all."),
    ]);
    assert_eq!(
        read(&content),
        expected(
            &["Ich suche 🏡.", "One more search."],
            "Based on this, Acme is good.\n\nUnfortunately, that is all."
        )
    );
    let fetch = json!({"type": "server_tool_use", "id": "f", "name": "web_fetch", "input": {"url": "https://a.example/"}});
    assert_eq!(
        read(&json!([text("Acme."), fetch, text("Beta.")])),
        expected(&[], "Acme.\n\nBeta.")
    );
    let thinking = json!({"type": "thinking", "thinking": "…", "signature": "c2ln"});
    let content = json!([
        text("A. "),
        text("B."),
        thinking,
        search("q"),
        result("q"),
        text("C.")
    ]);
    assert_eq!(read(&content), expected(&["A. B."], "C."));
}

#[test]
fn a_text_that_cites_is_read_as_a_whole_even_before_a_search() {
    let content = json!([
        search("q1"),
        result("q1"),
        text("It is "),
        cited("good"),
        text("."),
        search("q2"),
        result("q2"),
        text("Done."),
    ]);
    assert_eq!(read(&content), expected(&[], "It is good.\n\nDone."));
}

#[test]
fn an_explanation_is_the_text_of_a_refusal() {
    let refused = decode(
        "refusal",
        &json!([text("Let me look."), search("q"), result("q")]),
    )
    .unwrap();
    assert_eq!(
        (refused.text.as_str(), refused.narration),
        ("", vec!["Let me look.".to_owned()])
    );
}

proptest! {
    #[test]
    fn a_damaged_response_is_an_answer_or_an_error(first in damaged(FIXTURE), second in damaged(FIXTURE)) {
        let (first, second) = (Turn::decode(&first), Turn::decode(&second));
        let Ok(mut turn) = first else { return Ok(()) };
        if let Ok(second) = second {
            turn.append(second);
        }
        assert_valid(turn.into_answer());
    }
}
