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
    };
    let expected = Answer {
        text: "I'll look for garden sheds.\n\n🏡 **Shedwright** is tested: it stands 20 years.\n\n\
               Préfère-t-on du bois?\u{a0}Oui."
            .to_owned(),
        finish_reason: FinishReason::Complete,
        citations: vec![
            cited(
                "https://sheds.example/best?utm_source=x",
                "Best sheds – “tested” 🏡",
            ),
            cited("https://forum.example/t/42#post-7", "Which shed?"),
        ],
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
