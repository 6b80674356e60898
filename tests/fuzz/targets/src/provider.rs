//! Replies of providers. One byte selects the provider and one the status. The headers follow up to an empty
//! line, and then the body.

use std::collections::HashSet;
use std::time::Duration;

use domain::answer::{Answer, FinishReason};
use http::StatusCode;
use http::header::{HeaderMap, HeaderName, HeaderValue};
use providers::{AskError, HttpResponse, decode_answer, decode_prompts};
use serde_json::Value;

use crate::samples::{self, FIXTURES};

const STATUSES: [u16; 16] = [
    200, 200, 200, 200, 200, 200, 400, 401, 402, 403, 404, 408, 422, 429, 500, 503,
];
/// The headers that affect the result.
const HEADERS: [&str; 4] = ["retry-after", "retry-after-ms", "date", "x-should-retry"];
/// The number of requested prompts.
const COUNT: u32 = 3;

pub(crate) fn run(data: &[u8]) {
    let [provider, status, rest @ ..] = data else {
        return;
    };
    let (provider, _) = FIXTURES[usize::from(*provider) % FIXTURES.len()];
    let status = STATUSES[usize::from(*status) % STATUSES.len()];
    let (headers, body) = headers(rest);
    let reply = || HttpResponse {
        status: StatusCode::from_u16(status).unwrap(),
        headers: headers.clone(),
        body: body.to_vec(),
    };
    match decode_answer(provider, reply()).unwrap() {
        Ok(answer) => sound(&answer, status, body),
        Err(error) => told(&error, status),
    }
    match decode_prompts(provider, reply(), COUNT).unwrap() {
        Ok(prompts) => {
            let distinct: HashSet<&String> = prompts.iter().collect();
            assert!((1..=3).contains(&prompts.len()) && distinct.len() == prompts.len());
            assert!(
                prompts
                    .iter()
                    .all(|prompt| !prompt.is_empty() && prompt.trim() == prompt)
            );
        }
        Err(error) => told(&error, status),
    }
}

/// Parses `name: value` lines up to an empty line, if the data begins with any, and returns the rest as the
/// body.
fn headers(data: &[u8]) -> (HeaderMap, &[u8]) {
    let mut headers = HeaderMap::new();
    let mut rest = data;
    while let Some((line, after)) = rest
        .iter()
        .position(|byte| *byte == b'\n')
        .map(|at| rest.split_at(at))
    {
        let Some(colon) = line.iter().position(|byte| *byte == b':') else {
            break;
        };
        let name = HeaderName::from_bytes(&line[..colon]);
        let value = HeaderValue::from_bytes(line[colon + 1..].trim_ascii());
        let (Ok(name), Ok(value)) = (name, value) else {
            break;
        };
        if !HEADERS.contains(&name.as_str()) {
            break;
        }
        headers.append(name, value);
        rest = &after[1..];
    }
    (headers, rest)
}

/// Asserts the invariants of every answer.
fn sound(answer: &Answer, status: u16, body: &[u8]) {
    assert_eq!(status, 200);
    let urls: HashSet<&String> = answer.citations.iter().map(|cited| &cited.url).collect();
    assert_eq!(urls.len(), answer.citations.len());
    assert!(urls.iter().all(|url| !url.trim().is_empty()));
    assert!(answer.queries.iter().all(|query| !query.trim().is_empty()));
    assert!(answer.queries.is_empty() || answer.searched == Some(true));
    assert!(answer.finish_reason == FinishReason::Refused || !answer.text.trim().is_empty());
    // Nothing is invented or repeated, so an answer is no longer than the body that it came in.
    let titles = answer.citations.iter().filter_map(|cited| cited.title.as_ref());
    let texts: usize = titles
        .chain(&answer.queries)
        .chain([&answer.text])
        .map(String::len)
        .sum();
    let versions = answer.model_version.as_ref().map_or(0, String::len);
    assert!(
        texts + versions <= 2 * body.len(),
        "{texts} bytes out of {}",
        body.len()
    );
    assert!(answer.cost_micros.is_none_or(|cost| cost < 1_000_000_000_000));
}

/// Asserts the invariants of every error: a short reason in plain words, and a delay of at most an hour.
fn told(error: &AskError, status: u16) {
    let reason = error.reason();
    assert!(
        !reason.is_empty() && reason.len() <= 100 && reason.is_ascii(),
        "{reason}"
    );
    // Besides the status, the reply contributes at most a code in lower case.
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || " _'(),.".contains(c);
    assert!(reason.replace("8 MiB", "").chars().all(plain), "{reason}");
    if let AskError::Unavailable {
        retry_after: Some(retry_after),
        ..
    } = error
    {
        assert!(*retry_after <= Duration::from_secs(3_600));
    }
    if status == 401 {
        assert!(matches!(
            error,
            AskError::InvalidKey { .. }
                | AskError::QuotaExhausted { .. }
                | AskError::Forbidden { .. }
                | AskError::Permanent { .. }
        ));
    }
}

/// Returns the texts of the recorded answers.
pub(crate) fn texts() -> impl Iterator<Item = String> {
    answers().map(|answer| answer.text)
}

/// Returns the recorded answers.
pub(crate) fn answers() -> impl Iterator<Item = Answer> {
    FIXTURES.iter().map(|(provider, body)| {
        let reply = HttpResponse {
            status: StatusCode::OK,
            headers: HeaderMap::new(),
            body: body.as_bytes().to_vec(),
        };
        decode_answer(provider, reply).unwrap().unwrap()
    })
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    let mut add = |provider: usize, status: u16, headers: &str, body: &str| {
        let status = STATUSES.iter().position(|known| *known == status).unwrap_or(6);
        let mut seed = vec![u8::try_from(provider).unwrap(), u8::try_from(status).unwrap()];
        seed.extend(format!("{headers}{body}").into_bytes());
        seeds.push(seed);
    };
    let errors: Value = serde_json::from_str(samples::ERRORS).unwrap();
    for (place, (provider, body)) in FIXTURES.iter().enumerate() {
        add(place, 200, "", body);
        for error in errors[*provider].as_array().into_iter().flatten() {
            let status = u16::try_from(error["status"].as_u64().unwrap()).unwrap();
            let hint = error["retry-after"]
                .as_str()
                .map(|hint| format!("retry-after: {hint}\n"));
            add(
                place,
                status,
                &hint.unwrap_or_default(),
                &error["body"].to_string(),
            );
            add(place, 200, "", &error["body"].to_string());
        }
    }
    add(
        0,
        429,
        "retry-after: Wed, 21 Oct 2026 07:28:00 GMT\ndate: Wed, 21 Oct 2026 07:27:00 GMT\nx-should-retry: true\n",
        "{}",
    );
    add(
        0,
        200,
        "",
        r#"{"output":[{"type":"message","content":[{"type":"output_text","text":"x {\"prompts\": [\"Which? \", \"Which?\", 7, \"What?\"]} y"}]}]}"#,
    );
    seeds
}
