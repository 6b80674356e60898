use domain::answer::Citation;
use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::openai::OPENAI;
use crate::testing::{assert_valid, damaged};

const FIXTURE: &str = include_str!("../../fixtures/openai-search.json");

/// Decodes a body as OpenAI's.
fn decode(body: &[u8]) -> Result<Answer, AskError> {
    (OPENAI.decode)(body)
}

fn cited(url: &str, title: Option<&str>) -> Citation {
    Citation {
        url: url.to_owned(),
        title: title.map(str::to_owned),
        ..Default::default()
    }
}

/// Returns a response with one text, and with the members of `extra`.
fn response(extra: Value) -> Vec<u8> {
    let mut body = json!({"status": "completed", "output": [{"type": "message", "content": [
        {"type": "output_text", "text": "Well.", "annotations": []}]}]});
    if let (Some(body), Value::Object(extra)) = (body.as_object_mut(), extra) {
        body.extend(extra);
    }
    body.to_string().into_bytes()
}

#[test]
fn a_response_is_decoded_to_the_byte() {
    let answer = decode(FIXTURE.as_bytes()).unwrap();
    let expected = Answer {
        text:
            "🏡 **Shedwright** is tested ([sheds.example](https://sheds.example/best?utm_source=openai)).\n\
               Préfère-t-on du bois?\u{a0}Oui.\n\n Done."
                .to_owned(),
        narration: Vec::new(),
        finish_reason: FinishReason::Complete,
        citations: vec![
            cited(
                "https://sheds.example/best?utm_source=openai",
                Some("Best sheds – “tested” 🏡"),
            ),
            cited("https://forum.example/t/42#post-7", Some("Which shed?")),
            cited("https://sheds.example/best", None),
            cited("https://last.example/", Some("Last")),
        ],
        unresolved_citations: 0,
        queries: [
            "best garden sheds 2026",
            "Gartenhäuser Vergleich 🏡",
            "best garden sheds 2026",
            "shed delivery times",
        ]
        .map(str::to_owned)
        .to_vec(),
        searched: Some(true),
        input_tokens: 1234,
        output_tokens: 567,
        cost_micros: None,
        model_version: Some("gpt-6-luna-2026-09-01".to_owned()),
    };
    assert_eq!(answer, expected);
}

#[test]
fn messages_are_paragraphs_and_parts_of_one_message_are_one_text() {
    let message = |texts: &[&str]| {
        let part = |text: &&str| json!({"type": "output_text", "text": text});
        json!({"type": "message", "content": texts.iter().map(part).collect::<Vec<_>>()})
    };
    let search = json!({"type": "web_search_call", "status": "completed"});
    let text = |output: Value| decode(&response(json!({"output": output}))).unwrap().text;
    assert_eq!(
        text(json!([
            message(&["I will look"]),
            message(&["Acme", " is good."])
        ])),
        "I will look\n\nAcme is good."
    );
    let apart = json!([
        search,
        message(&["One."]),
        search,
        message(&[]),
        message(&["", "Two."])
    ]);
    assert_eq!(text(apart), "Two.");
    assert_eq!(
        text(json!([message(&[""]), message(&["Only."]), message(&[""])])),
        "Only."
    );
}

#[test]
fn an_answer_cut_off_by_a_limit_is_truncated() {
    for reason in [
        json!({"reason": "max_output_tokens"}),
        json!({"reason": "new"}),
        Value::Null,
    ] {
        let body = response(json!({"status": "incomplete", "incomplete_details": reason}));
        let answer = decode(&body).unwrap();
        assert_eq!(
            (answer.finish_reason, answer.text.as_str()),
            (FinishReason::Truncated, "Well.")
        );
    }
}

#[test]
fn a_refusal_and_a_filtered_answer_are_refused() {
    let refusal =
        json!({"output": [{"type": "message", "content": [{"type": "refusal", "refusal": "I can't."}]}]});
    let answer = decode(&response(refusal)).unwrap();
    assert_eq!(
        (answer.finish_reason, answer.text.as_str()),
        (FinishReason::Refused, "I can't.")
    );
    let filtered =
        json!({"status": "incomplete", "incomplete_details": {"reason": "content_filter"}, "output": []});
    assert_eq!(
        decode(&response(filtered)).unwrap().finish_reason,
        FinishReason::Refused
    );
}

#[test]
fn an_answer_without_text_is_an_error() {
    let blank = json!([{"type": "message", "content": [{"type": "output_text", "text": " \n"}]}]);
    for output in [json!([]), json!(null), json!({}), blank] {
        let error =
            |status: &str| decode(&response(json!({"status": status, "output": output}))).unwrap_err();
        assert!(matches!(error("completed"), AskError::Empty { .. }), "{output}");
        assert!(
            matches!(error("incomplete"), AskError::Permanent { .. }),
            "{output}"
        );
    }
}

#[test]
fn an_answer_that_is_not_finished_is_lost() {
    for status in ["queued", "in_progress", "cancelled", "requires_action"] {
        assert!(
            decode(&response(json!({"status": status})))
                .unwrap_err()
                .was_accepted(),
            "{status}"
        );
    }
}

#[test]
fn a_failure_is_classified_by_its_code() {
    let error =
        |code: &str| decode(&response(json!({"status": "failed", "error": {"code": code}}))).unwrap_err();
    assert!(matches!(error("server_error"), AskError::AnswerLost { .. }));
    assert!(matches!(
        error("rate_limit_exceeded"),
        AskError::Unavailable { .. }
    ));
    assert!(matches!(
        error("insufficient_quota"),
        AskError::QuotaExhausted { .. }
    ));
    assert!(matches!(error("invalid_prompt"), AskError::Permanent { .. }));
    let bare = decode(br#"{"error": {"message": "oh"}}"#).unwrap_err();
    assert!(matches!(bare, AskError::AnswerLost { .. }));
}

#[test]
fn an_answer_from_memory_is_not_searched() {
    let answer = decode(&response(json!({}))).unwrap();
    assert_eq!((answer.searched, answer.queries.len()), (Some(false), 0));
    let opened = json!({"type": "web_search_call", "status": "completed",
        "action": {"type": "open_page", "url": "https://a.example"}});
    let message = json!({"type": "message", "content": [{"type": "output_text", "text": "x"}]});
    let answer = decode(&response(json!({"output": [opened, message]}))).unwrap();
    assert_eq!(answer.searched, Some(false));
}

#[test]
fn a_search_without_a_query_is_still_a_search() {
    let message = json!({"type": "message", "content": [{"type": "output_text", "text": "x"}]});
    for call in [
        json!({"type": "web_search_call", "status": "completed"}),
        json!({"type": "web_search_call", "action": {"type": "search", "query": ""}}),
    ] {
        let answer = decode(&response(json!({"output": [call, message]}))).unwrap();
        assert_eq!((answer.searched, answer.queries.len()), (Some(true), 0));
    }
}

#[test]
fn a_response_without_status_and_usage_is_an_answer() {
    let answer = decode(&response(
        json!({"status": null, "usage": {"input_tokens": "many"}}),
    ))
    .unwrap();
    assert_eq!(
        (answer.finish_reason, answer.input_tokens, answer.model_version),
        (FinishReason::Complete, 0, None)
    );
}

#[test]
fn a_response_cut_off_anywhere_is_lost() {
    let bytes = FIXTURE.trim_end().as_bytes();
    for length in (0..bytes.len()).step_by(97) {
        let error = decode(&bytes[..length]).unwrap_err();
        assert!(error.was_accepted(), "{length}: {error}");
    }
}

proptest! {
    #[test]
    fn no_bytes_break_the_decoder(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(decode(&bytes).map_or_else(|e| e.was_accepted(), |a| !a.text.is_empty()));
    }

    #[test]
    fn a_damaged_response_is_an_answer_or_an_error(body in damaged(FIXTURE)) {
        assert_valid(decode(&body));
    }
}
