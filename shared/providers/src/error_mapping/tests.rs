use std::time::Duration;

use proptest::prelude::*;
use reqwest::StatusCode;
use reqwest::header::{HeaderName, HeaderValue};

use super::*;
use crate::testing::damaged;

/// By vendor: a status, a `retry-after` header if there is one, a body, what is to be made of them, and the reason shown.
const ERRORS: &str = include_str!("../../fixtures/errors.json");

/// Returns the error's kind, with its hint in seconds, such as `wait 7`.
fn meant(error: &AskError) -> String {
    match error {
        AskError::Unavailable { retry_after, .. } => retry_after.map_or_else(
            || "wait".to_owned(),
            |after| format!("wait {}", after.as_secs_f64()),
        ),
        AskError::AnswerLost { .. } => "lost".to_owned(),
        AskError::QuotaExhausted { .. } => "quota".to_owned(),
        AskError::InvalidKey { .. } => "bad key".to_owned(),
        AskError::Permanent { .. } => "fatal".to_owned(),
    }
}

fn of(status: u16, headers: &[(&'static str, &str)], body: &[u8]) -> AskError {
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

/// Checks a vendor's rows, of which there are as many as said.
fn check(vendor: &str, count: usize) {
    let errors: Value = serde_json::from_str(ERRORS).unwrap();
    let rows = errors[vendor].as_array().unwrap();
    assert_eq!(rows.len(), count);
    for row in rows {
        let status = u16::try_from(row["status"].as_u64().unwrap()).unwrap();
        let after = row["retry-after"].as_str().map(|after| ("retry-after", after));
        let error = of(status, after.as_slice(), row["body"].to_string().as_bytes());
        assert_eq!(
            (meant(&error).as_str(), error.reason()),
            (row["meant"].as_str().unwrap(), row["reason"].as_str().unwrap()),
            "{row}"
        );
    }
}

#[test]
fn openais_errors_are_told_by_code_then_type() {
    check("openai", 16);
}

#[test]
fn anthropics_errors_are_told_by_type_and_the_code_in_the_details() {
    check("anthropic", 15);
}

#[test]
fn geminis_errors_carry_the_hint_and_the_quota_in_the_body() {
    check("gemini", 26);
}

#[test]
fn perplexitys_errors_have_numbers_for_codes_and_are_told_by_type() {
    check("perplexity", 5);
}

#[test]
fn xais_errors_come_in_three_shapes() {
    check("xai", 11);
}

#[test]
fn mistrals_errors_are_told_at_the_top_of_the_body() {
    check("mistral", 8);
}

#[test]
fn what_the_vendor_says_of_asking_again_counts_more_than_the_status() {
    let of = |status, should| {
        meant(&of(
            status,
            &[("x-should-retry", should), ("retry-after", "4")],
            b"{}",
        ))
    };
    for (status, yes, no) in [
        (429, "wait 4", "quota"),
        (503, "wait 4", "fatal"),
        (500, "lost", "fatal"),
        (409, "lost", "fatal"),
        (400, "wait 4", "fatal"),
        (404, "wait 4", "fatal"),
        (401, "bad key", "bad key"),
        (402, "quota", "quota"),
    ] {
        assert_eq!(
            (of(status, "true").as_str(), of(status, "false").as_str()),
            (yes, no),
            "{status}"
        );
    }
    assert_eq!(of(429, "maybe"), "wait 4");
}

#[test]
fn a_body_that_is_no_error_leaves_it_to_the_status() {
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
            reason: "the rate limit is reached (429)".to_owned(),
        };
        assert_eq!(
            of(429, &[("retry-after", "3")], body.as_bytes()),
            expected,
            "{body}"
        );
    }
}

proptest! {
    /// Whatever the body says, none of it but a plain code is shown.
    #[test]
    fn no_body_breaks_the_reader_or_is_shown(
        status in 300_u16..600,
        body in damaged(r#"{"type": "error", "code": "sk-Hidden", "error": {"type": "Hidden-1 X", "code": "Hidden KEY 1",
            "status": "HIDDEN 1.", "message": "Hidden 2", "details": [{"reason": "Hidden-3", "retryDelay": "3s",
            "violations": [{"quotaId": "PerDay"}]}]}}"#),
    ) {
        let refused = of(status, &[], &body);
        let failed = error_in_body(&serde_json::from_slice(&body).unwrap_or_default());
        for shown in [format!("{refused:?}"), format!("{failed:?}")] {
            prop_assert!(!shown.to_ascii_lowercase().contains("hidden"), "{}", shown);
        }
    }
}
