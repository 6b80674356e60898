use std::sync::Arc;

use domain::answer::{Citation, CitationKind, FinishReason};
use proptest::prelude::*;

use super::*;
use crate::Provider;
use crate::http::Http;
use crate::http_provider::HttpProvider;
use crate::testing::{
    GENERATION_REQUEST, QUESTION, Request, ServerAction, assert_valid, damaged, settings, start_server,
};

const FIXTURE: &str = include_str!("../../fixtures/perplexity-search.json");
/// An answer of the preset `fast`: one search, and marks such as `[3]`.
const FAST: &str = include_str!("../../fixtures/perplexity-fast.json");
/// An answer in several steps: searches with several queries, whose ids count on, and marks such as
/// `[web:1]`.
const STEPS: &str = include_str!("../../fixtures/perplexity-steps.json");

fn provider(base_url: &str) -> HttpProvider {
    HttpProvider::new(PERPLEXITY, settings(base_url), Arc::new(Http::default()))
}

fn cited(url: &str, title: Option<&str>) -> Citation {
    Citation {
        url: url.to_owned(),
        title: title.map(str::to_owned),
        ..Default::default()
    }
}

/// Returns a response with one search and one text, and with the members of `extra`.
fn response(text: &str, extra: Value) -> Vec<u8> {
    let mut body = json!({"status": "completed", "output": [
        {"type": "search_results", "queries": ["q"], "results": [{"id": 1, "url": "https://one.example/", "title": "One"}]},
        {"type": "message", "content": [{"type": "output_text", "text": text, "annotations": []}]}]});
    if let (Some(body), Value::Object(extra)) = (body.as_object_mut(), extra) {
        body.extend(extra);
    }
    body.to_string().into_bytes()
}

#[test]
fn a_response_is_decoded_to_the_byte() {
    let expected = Answer {
        text: "🏡 **Shedwright** is tested [1][2] and [Timberly](https://timberly.example/) too[2]. Delivery takes [5] \
               weeks [3], [99], [4] or [6]. Préfère-t-on du bois? [ 1], [x], [-1], [2"
            .to_owned(),
        narration: Vec::new(),
        finish_reason: FinishReason::Complete,
        citations: vec![
            cited("https://annotated.example/", Some("Annotated")),
            cited("https://forum.example/t/42", Some("Which shed? (again)")),
            cited("https://sheds.example/best", Some("Best sheds – “tested” 🏡")),
            cited("https://delivery.example/a_(b)", None),
            cited("https://same-id.example/", Some("Whose id 3 is it?")),
            Citation {
                kind: CitationKind::InText,
                ..cited("https://timberly.example/", None)
            },
        ],
        unresolved_citations: 0,
        queries: vec![
            "best garden sheds 2026".to_owned(),
            "Gartenhaus Lieferzeit".to_owned(),
        ],
        searched: Some(true),
        input_tokens: 4321,
        output_tokens: 210,
        cost_micros: Some(6_606),
        model_version: Some("perplexity/sonar".to_owned()),
    };
    assert_eq!(decode(FIXTURE.as_bytes()).unwrap(), expected);
}

#[test]
fn an_answer_of_the_fast_preset_is_decoded_to_the_byte() {
    let expected = Answer {
        text: "A pressure-treated **Shedwright** stands longest.[3]".to_owned(),
        citations: vec![cited(
            "https://video.example/watch?v=a1",
            Some("Ten sheds, ten years"),
        )],
        queries: vec!["Which garden shed lasts longest?".to_owned()],
        searched: Some(true),
        input_tokens: 3007,
        output_tokens: 36,
        cost_micros: Some(1_190),
        model_version: Some("openai/gpt-6-luna".to_owned()),
        ..Answer::default()
    };
    assert_eq!(decode(FAST.as_bytes()).unwrap(), expected);
}

#[test]
fn an_answer_in_several_steps_is_decoded_to_the_byte() {
    let expected = Answer {
        text: "Timber is **cheaper**, steel lasts longer.[web:1][web:2]\n\n## Delivery\n\n\
               - Four weeks for both.[web:4][web:5]  \n- Ask first.[web:9]"
            .to_owned(),
        citations: vec![
            cited("https://timber.example/guide", Some("Timber sheds")),
            cited("https://steel.example/", Some("Steel sheds | Steel")),
            cited("https://delivery.example/sheds", Some("Delivery of sheds")),
        ],
        queries: [
            "garden shed timber",
            "garden shed steel",
            "timber or steel shed",
            "shed delivery times",
        ]
        .map(str::to_owned)
        .to_vec(),
        searched: Some(true),
        input_tokens: 9120,
        output_tokens: 402,
        cost_micros: Some(20_420),
        model_version: Some("openai/gpt-5.1".to_owned()),
        ..Answer::default()
    };
    assert_eq!(decode(STEPS.as_bytes()).unwrap(), expected);
}

/// Returns the hosts that a text cites after one search that found the ids 1 (number), `"2"`, `"web:3"` and
/// `"a-4"`.
fn hosts_cited_by(text: &str) -> Vec<String> {
    let found = |id: Value, host: &str, source: &str| json!({"id": id, "url": format!("https://{host}"), "source": source});
    let results = json!([
        found(json!(1), "one", "web"),
        found(json!("2"), "two", "news"),
        found(json!("web:3"), "three", "web"),
        found(json!("a-4"), "four", "web"),
    ]);
    hosts_of(&[search(&results), message(text)])
}

fn search(results: &Value) -> Value {
    json!({"type": "search_results", "queries": ["q"], "results": results})
}

fn message(text: &str) -> Value {
    json!({"type": "message", "content": [{"type": "output_text", "text": text, "annotations": []}]})
}

/// Returns the cited hosts of a response with these items.
fn hosts_of(output: &[Value]) -> Vec<String> {
    let answer = decode(&response("", json!({"output": output}))).unwrap();
    let host = |cited: Citation| cited.url.replace("https://", "");
    let reported = answer
        .citations
        .into_iter()
        .filter(|cited| cited.kind == CitationKind::Reported);
    reported.map(host).collect()
}

#[test]
fn a_mark_with_the_kind_web_cites_a_result() {
    assert_eq!(
        hosts_cited_by("Good.[web:1][web:3] Fine.[web:1]"),
        ["one", "three"]
    );
    assert_eq!(hosts_cited_by("Good [web:3, web:1]."), ["three", "one"]);
}

#[test]
fn a_mark_with_several_ids_cites_each_result() {
    assert_eq!(hosts_cited_by("Good [1, 2]."), ["one", "two"]);
    assert_eq!(hosts_cited_by("Good [3,1; 2]."), ["three", "one", "two"]);
    assert_eq!(hosts_cited_by("Good [1, 99]."), ["one"]);
}

#[test]
fn an_id_can_be_a_number_or_a_string() {
    assert_eq!(
        hosts_cited_by("[1] [2] [3] [a-4]"),
        ["one", "two", "three", "four"]
    );
    assert_eq!(hosts_cited_by("[web:1] [web:2] [web:3]"), ["one", "two", "three"]);
}

#[test]
fn a_mark_with_another_kind_cites_only_a_result_of_that_kind() {
    assert_eq!(hosts_cited_by("[news:2] [page:1] [file:3] [news:1]"), ["two"]);
}

#[test]
fn ids_that_start_anew_refer_to_the_last_search_before_the_text() {
    let results = |names: &[&str]| {
        let result = |(id, name)| json!({"id": id, "url": format!("https://{name}")});
        search(&(1..).zip(names).map(result).collect())
    };
    let (first, second) = (results(&["a", "b", "c"]), results(&["d", "e"]));
    assert_eq!(
        hosts_of(&[
            first.clone(),
            message("So far [1]."),
            second.clone(),
            message("Now [1][2].")
        ]),
        ["a", "d", "e"]
    );
    // Only the first search has the id 3.
    assert_eq!(
        hosts_of(&[first.clone(), second.clone(), message("[web:1] [web:3]")]),
        ["d", "c"]
    );
    // What is found later cannot be cited yet.
    assert_eq!(
        hosts_of(&[second, message("[3]"), first, message("Done.")]),
        [""; 0]
    );
}

#[test]
fn a_mark_cites_only_what_was_found_under_its_id() {
    for text in [
        "a [1]",
        "a[1][1].",
        "[[1]]",
        "[1](https://x.example/)",
        "**Good [1]**",
        "[ 1 ]",
        "|a|\n|-|\n|b [1]|",
    ] {
        assert_eq!(hosts_cited_by(text), ["one"], "{text}");
    }
    for text in [
        "a",
        "[9]",
        "[01x]",
        "[]",
        "[99999999999999999999]",
        "1]",
        "[1",
        "[１]",
        "[-1]",
        "[:1]",
        "[web:]",
        "(1)",
    ] {
        assert_eq!(hosts_cited_by(text), [""; 0], "{text}");
    }
}

#[test]
fn brackets_in_code_and_link_targets_are_no_marks() {
    for text in [
        "Write `shed[1]`.",
        "```python\nshed[1]\n```\nGood.",
        "[Catalogue](https://catalogue.example/?page=[1])",
    ] {
        assert_eq!(hosts_cited_by(text), [""; 0], "{text}");
    }
}

#[test]
fn an_annotation_needs_neither_type_nor_title() {
    let annotated = json!({"type": "message", "content": [{"type": "output_text", "text": "Good.", "annotations": [
        {"url": "https://one.example/"}, {"type": "url_citation", "url": "https://other.example/"}]}]});
    let found = json!([{"id": 1, "url": "https://one.example/", "title": "One"}]);
    let body = response("", json!({"output": [search(&found), annotated]}));
    assert_eq!(
        decode(&body).unwrap().citations,
        [
            cited("https://one.example/", Some("One")),
            cited("https://other.example/", None)
        ]
    );
}

#[test]
fn the_marks_stay_in_the_text() {
    let text = "Acme[web:1][web:2] is good [1, 2].";
    assert_eq!(decode(&response(text, json!({}))).unwrap().text, text);
}

#[test]
fn a_failure_in_a_successful_response_is_classified_by_its_code() {
    let error =
        |error: Value| decode(&response("", json!({"status": "failed", "error": error}))).unwrap_err();
    for code in [json!(429), json!("rate_limit_exceeded")] {
        let error = error(json!({"code": code, "type": "t", "message": "m"}));
        assert!(matches!(error, AskError::Unavailable { .. }), "{error:?}");
    }
    for body in [
        json!({"code": 500}),
        json!({"code": "internal_error"}),
        json!({}),
        json!(null),
        json!("oh"),
    ] {
        let error = error(body);
        assert!(matches!(error, AskError::AnswerLost { .. }), "{error:?}");
    }
    assert_eq!(error(json!(null)).reason(), "the provider failed");
    let empty = error(json!({"code": 401, "type": "insufficient_quota"}));
    assert!(matches!(empty, AskError::QuotaExhausted { .. }), "{empty:?}");
    let bad = error(json!({"code": 400, "type": "invalid_request"}));
    assert_eq!(
        bad,
        AskError::permanent("the request was refused (400, invalid_request)")
    );
}

#[test]
fn the_cost_is_what_the_usage_says_in_us_dollars() {
    let micros = |cost: Value| {
        decode(&response("x", json!({"usage": {"cost": cost}})))
            .unwrap()
            .cost_micros
    };
    assert_eq!(
        micros(json!({"currency": "USD", "total_cost": 0.0061})),
        Some(6_100)
    );
    assert_eq!(micros(json!({"total_cost": 0})), Some(0));
    for odd in [
        json!({"currency": "EUR", "total_cost": 1}),
        json!({"total_cost": -0.1}),
        json!({"total_cost": 1e300}),
        json!({"total_cost": "0.1"}),
        json!(0.1),
    ] {
        assert_eq!(micros(odd.clone()), None, "{odd}");
    }
}

#[test]
fn an_answer_from_memory_is_not_searched() {
    let message = json!([{"type": "message", "content": [{"type": "output_text", "text": "Well [1]."}]}]);
    let answer = decode(&response("", json!({"output": message}))).unwrap();
    assert_eq!((answer.searched, answer.citations.len()), (Some(false), 0));
}

#[tokio::test]
async fn a_question_is_asked_from_its_country_in_its_language() {
    let mut server = start_server(ServerAction::respond(200, "", FIXTURE)).await;
    provider(&server.origin).ask(&QUESTION).await.unwrap();
    let Request { line, head, body } = server.request().await;
    assert_eq!(line, "POST /v1/responses HTTP/1.1");
    assert!(head.contains("authorization: bearer key-1"));
    assert_eq!(
        body,
        json!({
            "model": "model-1", "input": "Qual é o melhor galpão?", "language_preference": "pt",
            "instructions": CITATION_INSTRUCTIONS,
            "store": false, "max_output_tokens": 8_192, "max_steps": 3,
            "tools": [{"type": "web_search", "user_location": {"country": "BR"}}],
        })
    );
    let nowhere = Question {
        country: None,
        ..QUESTION
    };
    provider(&server.origin).ask(&nowhere).await.unwrap();
    assert_eq!(
        server.request().await.body["tools"],
        json!([{"type": "web_search"}])
    );
}

#[tokio::test]
async fn prompts_are_generated_by_structured_output_without_a_search() {
    let reply = response(
        "Sure:\n```json\n{\"prompts\": [\"Eins?\", \"Zwei?\", \"Drei?\"]}\n```",
        json!({}),
    );
    let mut server = start_server(ServerAction::respond(200, "", &String::from_utf8(reply).unwrap())).await;
    let prompts = provider(&server.origin)
        .generate_prompts(&GENERATION_REQUEST)
        .await
        .unwrap();
    assert_eq!(prompts, ["Eins?", "Zwei?"]);
    let body = server.request().await.body;
    assert_eq!(body["response_format"]["type"], "json_schema");
    assert_eq!(
        body["response_format"]["json_schema"]["schema"]["required"],
        json!(["prompts"])
    );
    assert!(body.get("tools").is_none() && body.get("preset").is_none());
    assert!(body["input"].as_str().unwrap().contains("Shedwright"));
    assert!(body["instructions"].as_str().unwrap().contains("German (de)"));
}

#[test]
fn the_address_is_the_vendors_bare_origin_and_the_path() {
    let mut provider = provider("");
    provider.endpoint.settings.base_url = None;
    let url = provider.endpoint.url("/v1/responses").unwrap();
    assert_eq!(url.as_str(), "https://api.perplexity.ai/v1/responses");
}

proptest! {
    #[test]
    fn a_damaged_response_is_an_answer_or_an_error(body in damaged(FIXTURE)) {
        assert_valid(decode(&body));
    }

    #[test]
    fn a_damaged_answer_in_several_steps_is_an_answer_or_an_error(body in damaged(STEPS)) {
        assert_valid(decode(&body));
    }

    #[test]
    fn no_text_breaks_the_marks(text in "([\\[\\]0-9a🏡,;:`() \n]|web:){0,40}") {
        marks::for_each(&text, |at, mark| {
            assert!(!mark.id.contains(['[', ']']) && text.is_char_boundary(at));
        });
    }
}
