//! The document refuses the input that the service refuses, except for rules that a schema cannot express.

use std::collections::BTreeSet;

use acceptance::{ApiContract, World};
use serde_json::Value;

use crate::contract::{Fixture, InvalidInput, RequestInput, endpoints};

/// Rules that a schema cannot express, with the name of the input and the JSON values that violate them.
const RULES_BEYOND_SCHEMA: &[(&str, &str, &[&str])] = &[
    (
        "domain",
        "a host that can be registered, without port and credentials, over http or https",
        &[
            r#""localhost""#,
            r#""acme""#,
            r#""192.168.0.1""#,
            r#""https://[::1]/a""#,
            r#""3232235521""#,
            r#""com""#,
            r#""co.uk""#,
            r#""github.io""#,
            r#""ftp://acme.org""#,
            r#""javascript://acme.org""#,
            r#""https://user:secret@acme.org""#,
            r#""acme.org:8080""#,
            r#""acme..org""#,
            r#""-acme.org""#,
            r#""ac me.org""#,
            r#""a@acme.org""#,
        ],
    ),
    (
        "target",
        "the same",
        &[
            r#""acme""#,
            r#""192.168.0.1""#,
            r#""co.uk""#,
            r#""ftp://acme.com""#,
            r#""acme.com:8080""#,
        ],
    ),
    ("language", "an assigned code", &[r#""xx""#, r#""en-XX""#]),
    ("geolocation", "an assigned code", &[r#""xx""#]),
    (
        "prompts",
        "the same",
        &[
            r#"[{"prompt": "Which?", "language": "xx"}]"#,
            r#"[{"prompt": "Which?", "geolocation": "xx"}]"#,
            r#"[{"prompt": "Which?", "tags": ["0000000000000000"]}]"#,
        ],
    ),
    (
        "startDate",
        "not after endDate, and at most 366 days with it",
        &[r#""2026-02-01""#, r#""2025-01-29""#],
    ),
    (
        "baseStartDate",
        "not after baseEndDate, and at most 366 days with it",
        &[r#""2024-07-01""#, r#""2023-06-30""#],
    ),
    ("baseEndDate", "before the window", &[r#""2026-01-01""#]),
    (
        "entities",
        "at least two different ones",
        &[r#"["one", " one "]"#, r#"["one", "one"]"#],
    ),
    (
        "models",
        "a known model",
        &[r#"["7dea88c1-f321-5f64-bd14-a25dfce7807a"]"#],
    ),
    ("tags", "a known tag", &[r#"["0000000000000000"]"#]),
    (
        "assignees",
        "an active member",
        &[r#"["00000000-0000-4000-8000-000000000000"]"#],
    ),
    (
        "url",
        "of a public host, without a user name",
        &[
            r#""http://hooks.example.com""#,
            r#""https://10.0.0.1/""#,
            r#""https://a:b@hooks.example.com/""#,
            r#""https://printer.local/""#,
        ],
    ),
    ("aliases", "a visible character", &[r#"["\u200b"]"#]),
    ("suggestedName", "a visible character", &[r#""\u200b""#]),
    ("name", "a visible character", &[r#""\u200b""#]),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bad_input_is_against_the_document_or_against_a_rule_beyond_it() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let mut accepted = BTreeSet::new();
    let mut refused = 0;
    for endpoint in endpoints() {
        let good = (endpoint.request)(&fixture);
        let (method, path) = (endpoint.method(), endpoint.path());
        for invalid in endpoint.invalid_inputs {
            let (name, requests) = invalid.apply(&good);
            for request in requests {
                let wrong = ApiContract::get().request_violation(
                    method.as_str(),
                    path,
                    &request.query,
                    request.body.as_ref(),
                );
                match wrong {
                    Some(_) => refused += 1,
                    None => drop(accepted.insert((name, value(*invalid, name, &request)))),
                }
            }
        }
    }
    let beyond: BTreeSet<(&str, String)> = RULES_BEYOND_SCHEMA
        .iter()
        .flat_map(|(name, _, values)| values.iter().map(|value| (*name, (*value).to_owned())))
        .collect();
    assert_eq!(accepted, beyond);
    assert!(refused > 300, "{refused}");
}

/// Returns the value that was sent under this name, as JSON.
fn value(invalid: InvalidInput, name: &str, sent: &RequestInput) -> String {
    if let InvalidInput::Field(_, value) = invalid {
        return value.to_owned();
    }
    let of_body = sent.body.as_ref().and_then(|body| body.get(name)).cloned();
    let of_query = || {
        sent.query
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| Value::from(value.as_str()))
    };
    of_body.or_else(of_query).unwrap_or_default().to_string()
}
