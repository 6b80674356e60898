//! The document refuses the input that the service refuses, except for rules that a schema cannot express.

use acceptance::{ApiContract, World};
use serde_json::Value;

use crate::contract::inputs::{InputKind, name, shown};
use crate::contract::{Fixture, RequestInput, endpoints};

/// Rules that a schema cannot express: the name of the input, and JSON values that violate them.
const RULES_BEYOND_SCHEMA: &[(&str, &[&str])] = &[
    // A host that can be registered, without port and credentials, over http or https.
    (
        "domain",
        &[
            r#""acme""#,
            r#""192.168.0.1""#,
            r#""co.uk""#,
            r#""acme.org:8080""#,
        ],
    ),
    (
        "target",
        &[
            r#""acme""#,
            r#""192.168.0.1""#,
            r#""co.uk""#,
            r#""ftp://acme.com""#,
        ],
    ),
    // An assigned code.
    ("language", &[r#""xx""#, r#""en-XX""#]),
    ("geolocation", &[r#""xx""#]),
    // Not after the end, and at most 366 days with it.
    ("startDate", &[r#""2026-02-01""#, r#""2025-01-29""#]),
    ("baseStartDate", &[r#""2024-07-01""#, r#""2023-06-30""#]),
    // Before the window.
    ("baseEndDate", &[r#""2026-01-01""#]),
    // At least two different ones.
    ("entities", &[r#"["one", " one "]"#, r#"["one", "one"]"#]),
    // What the workspace knows.
    ("models", &[r#"["7dea88c1-f321-5f64-bd14-a25dfce7807a"]"#]),
    ("tags", &[r#"["0000000000000000"]"#]),
    ("assignees", &[r#"["00000000-0000-4000-8000-000000000000"]"#]),
    // A public host, without a user name.
    (
        "url",
        &[
            r#""http://hooks.example.com""#,
            r#""https://10.0.0.1/""#,
            r#""https://printer.local/""#,
        ],
    ),
    // A visible character.
    ("aliases", &[r#"["\u200b"]"#]),
    ("suggestedName", &[r#""\u200b""#]),
    ("name", &[r#""\u200b""#]),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bad_input_is_against_the_document_or_against_a_rule_beyond_it() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    for endpoint in endpoints() {
        let violation = |sent: &RequestInput| {
            let (method, path) = (endpoint.method(), endpoint.path());
            ApiContract::get().request_violation(method.as_str(), path, &sent.query, sent.body.as_ref())
        };
        for (_, wrong) in endpoint.wrong(&fixture) {
            assert!(violation(&wrong).is_some(), "{} {wrong:?}", endpoint.route);
        }
        for variant in endpoint.variants() {
            for (location, kind) in &variant.inputs {
                let rules = RULES_BEYOND_SCHEMA.iter().filter(|(of, _)| *of == name(location));
                for value in rules.flat_map(|(_, values)| *values) {
                    let value: Value = serde_json::from_str(value).unwrap();
                    // Lists are fields, and the values of a list's items are no lists.
                    let is_list = matches!(kind, InputKind::List(_));
                    if *kind == InputKind::Never || value.is_array() != is_list {
                        continue;
                    }
                    let wrong = variant.good(&fixture).at(location, &value);
                    assert_eq!(violation(&wrong), None, "{} {wrong:?}", endpoint.route);
                    let answer = endpoint.send(&world, Some(&fixture.account.key), &wrong).await;
                    let text = format!("{} {wrong:?}: {}", endpoint.route, answer.text);
                    assert!(answer.error(400).starts_with(&shown(location)), "{text}");
                }
            }
        }
    }
}
