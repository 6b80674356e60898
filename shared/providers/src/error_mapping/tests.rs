use std::time::Duration;

use proptest::prelude::*;
use reqwest::StatusCode;
use reqwest::header::{HeaderName, HeaderValue};

use super::*;
use crate::testing::damaged;

/// Error responses by vendor: each with a status, an optional `retry-after` header and a body, and with the
/// expected kind and reason of the error.
const ERRORS: &str = include_str!("../../fixtures/errors.json");

/// Returns the error's kind, with its hint in seconds, such as `wait 7`.
fn kind(error: &AskError) -> String {
    match error {
        AskError::Unavailable { retry_after, .. } => retry_after.map_or_else(
            || "wait".to_owned(),
            |after| format!("wait {}", after.as_secs_f64()),
        ),
        AskError::AnswerLost { .. } => "lost".to_owned(),
        AskError::Empty { .. } => "empty".to_owned(),
        AskError::QuotaExhausted { .. } => "quota".to_owned(),
        AskError::InvalidKey { .. } => "bad key".to_owned(),
        AskError::Forbidden { .. } => "blocked".to_owned(),
        AskError::Permanent { .. } => "fatal".to_owned(),
    }
}

fn error_for(status: u16, headers: &[(&'static str, &str)], body: &[u8]) -> AskError {
    let headers = headers.iter().map(|(name, value)| {
        (
            HeaderName::from_static(name),
            HeaderValue::from_str(value).unwrap(),
        )
    });
    error_for_response(&HttpResponse {
        status: StatusCode::from_u16(status).unwrap(),
        headers: headers.collect(),
        body: body.to_vec(),
    })
}

/// Checks a vendor's error responses, of which there are `count`.
fn check(vendor: &str, count: usize) {
    let errors: Value = serde_json::from_str(ERRORS).unwrap();
    let rows = errors[vendor].as_array().unwrap();
    assert_eq!(rows.len(), count);
    for row in rows {
        let status = u16::try_from(row["status"].as_u64().unwrap()).unwrap();
        let after = row["retry-after"].as_str().map(|after| ("retry-after", after));
        let error = error_for(status, after.as_slice(), row["body"].to_string().as_bytes());
        assert_eq!(
            (kind(&error).as_str(), error.reason()),
            (row["meant"].as_str().unwrap(), row["reason"].as_str().unwrap()),
            "{row}"
        );
    }
}

#[test]
fn openais_errors_are_classified_by_code_then_type() {
    check("openai", 23);
}

#[test]
fn anthropics_errors_are_classified_by_type_and_the_code_in_the_details() {
    check("anthropic", 16);
}

#[test]
fn geminis_errors_carry_the_hint_and_the_quota_in_the_body() {
    check("gemini", 34);
}

#[test]
fn perplexitys_errors_have_numbers_for_codes_and_are_classified_by_type() {
    check("perplexity", 5);
}

#[test]
fn xais_errors_come_in_three_shapes() {
    check("xai", 12);
}

#[test]
fn mistrals_errors_are_at_the_top_level_of_the_body() {
    check("mistral", 10);
}

#[test]
fn the_should_retry_header_takes_precedence_over_the_status() {
    let kind_with = |status, should_retry| {
        let headers = [("x-should-retry", should_retry), ("retry-after", "4")];
        kind(&error_for(status, &headers, br#"{"error": {"message": "m"}}"#))
    };
    for (status, yes, no) in [
        (429, "wait 4", "quota"),
        (503, "wait 4", "fatal"),
        (500, "lost", "fatal"),
        (409, "lost", "fatal"),
        (400, "wait 4", "fatal"),
        (404, "wait 4", "fatal"),
        (401, "blocked", "blocked"),
        (402, "quota", "quota"),
    ] {
        assert_eq!(
            (
                kind_with(status, "true").as_str(),
                kind_with(status, "false").as_str()
            ),
            (yes, no),
            "{status}"
        );
    }
    assert_eq!(kind_with(429, "maybe"), "wait 4");
}

#[test]
fn a_refusal_that_is_not_in_the_vendors_words_says_nothing_about_the_account() {
    let cloudflare = "<!DOCTYPE html><title>Attention Required! | Cloudflare</title><p>Your credit balance is too low, insufficient_quota, \
                      invalid_api_key: submitting a certain word or phrase";
    let bodies = [
        "",
        "Forbidden",
        cloudflare,
        "<html><head><title>401 Authorization Required</title></head></html>",
        "{}",
        "null",
        r#"{"message": "Forbidden"}"#,
        r#"{"message": "Missing Authentication Token"}"#,
        r#"{"error": "Forbidden"}"#,
        r#"{"status": 403, "title": "Blocked", "rule": "api_key quota billing"}"#,
        r#"{"error": {"type": "blocked by a rule about account and quota", "message": "Request blocked"}}"#,
        r#"{"error": {"message": "Blocked: 'Your credit balance is too low. Invalid API key'"}}"#,
    ];
    for body in bodies {
        for status in [401, 403] {
            let error = error_for(status, &[("retry-after", "3")], body.as_bytes());
            let blocked = format!("the request was blocked before it reached the model ({status})");
            assert_eq!(
                (kind(&error).as_str(), error.reason()),
                ("blocked", blocked.as_str()),
                "{body}"
            );
            assert_eq!(error.throttle(), None);
        }
    }
    for (status, headers) in [(402, [("x-any", "1")]), (429, [("x-should-retry", "false")])] {
        assert_eq!(
            kind(&error_for(status, &headers, cloudflare.as_bytes())),
            "blocked"
        );
    }
}

#[test]
fn only_a_busy_provider_throttles() {
    let overloaded =
        r#"{"error": {"code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE"}}"#;
    let busy = [
        error_for(429, &[], b"{}"),
        error_for(529, &[], b""),
        error_for(503, &[], overloaded.as_bytes()),
        error_for(503, &[("retry-after", "2")], b"<html>"),
        error_in_body(&serde_json::json!({"error": {"type": "overloaded_error", "message": "m"}})),
    ];
    assert!(busy.iter().all(|error| error.throttle().is_some()), "{busy:?}");
    let others = [
        error_for(503, &[], b"<html>"),
        error_for(500, &[("retry-after", "2")], b"{}"),
        error_for(429, &[("x-should-retry", "false")], b"{}"),
        error_for(400, &[("x-should-retry", "true")], b"{}"),
        error_for(
            429,
            &[("retry-after", "2")],
            br#"{"error": {"code": "rate_limit_exceeded", "message": "Request too large for m: Limit 3, Requested 4."}}"#,
        ),
        AskError::unavailable("the provider cannot be reached"),
    ];
    assert!(
        others.iter().all(|error| error.throttle().is_none()),
        "{others:?}"
    );
}

#[test]
fn a_throttled_request_has_the_hints_of_the_headers() {
    let headers = [("retry-after", "7"), ("anthropic-ratelimit-requests-limit", "50")];
    let expected = domain::provider_rate::Throttle {
        retry_after: Some(Duration::from_secs(7)),
        requests_per_minute: Some(50),
    };
    assert_eq!(error_for(429, &headers, b"{}").throttle(), Some(expected));
}

#[test]
fn a_body_without_an_error_is_classified_by_its_status() {
    for body in [
        "",
        "<html>",
        "[]",
        "[[]]",
        "null",
        "7",
        r#"{"error": null}"#,
        r#"{"error": [1]}"#,
        r#"{"error":"#,
    ] {
        let expected = AskError::Unavailable {
            retry_after: Some(Duration::from_secs(3)),
            is_throttled: true,
            requests_per_minute: None,
            reason: "the rate limit is reached (429)".to_owned(),
        };
        assert_eq!(
            error_for(429, &[("retry-after", "3")], body.as_bytes()),
            expected,
            "{body}"
        );
    }
}

proptest! {
    #[test]
    fn a_message_that_quotes_a_question_never_rejects_the_account(
        status in prop::sample::select(vec![400_u16, 401, 403, 422, 429]),
        before in "[a-zA-Z' ]{0,12}",
        quoted in prop::sample::select(vec![
            "your credit balance is too low", "your team has used all available credits", "invalid api key", "unauthorized",
            "incorrect api key provided", "spending limit", "your prepayment credits are depleted", "quota", "billing",
        ]),
        shape in 0..4,
    ) {
        let message = format!("Refused {before}: {quoted}");
        let body = match shape {
            0 => serde_json::json!({"error": {"message": message, "type": "permission_error"}}),
            1 => serde_json::json!({"code": "permission-denied", "error": message}),
            2 => serde_json::json!({"detail": message}),
            _ => serde_json::json!([{"error": {"code": status, "message": message, "status": "PERMISSION_DENIED"}}]),
        };
        let error = error_for(status, &[], body.to_string().as_bytes());
        prop_assert!(!matches!(error, AskError::InvalidKey { .. } | AskError::QuotaExhausted { .. }), "{:?}", error);
    }

    #[test]
    fn no_body_breaks_the_decoder_or_is_shown(
        status in 300_u16..600,
        body in damaged(r#"{"type": "error", "code": "sk-Hidden", "error": {"type": "Hidden-1 X", "code": "Hidden KEY 1",
            "status": "HIDDEN 1.", "message": "Hidden 2", "details": [{"reason": "Hidden-3", "retryDelay": "3s",
            "violations": [{"quotaId": "PerDay"}]}]}}"#),
    ) {
        let refused = error_for(status, &[], &body);
        let failed = error_in_body(&serde_json::from_slice(&body).unwrap_or_default());
        for shown in [format!("{refused:?}"), format!("{failed:?}")] {
            prop_assert!(!shown.to_ascii_lowercase().contains("hidden"), "{}", shown);
        }
    }
}
