//! What the service refuses, the document refuses; but for rules that a schema cannot say.

use std::collections::BTreeSet;

use acceptance::{Interface, World};
use serde_json::Value;

use crate::contract::{Bad, Fixture, Sent, endpoints};

/// Rules that a schema cannot say, and what breaks them: the name of the field or parameter, and its values in JSON.
const BEYOND: &[(&str, &str, &[&str])] = &[];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bad_input_is_against_the_document_or_against_a_rule_beyond_it() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let mut accepted = BTreeSet::new();
    let mut refused = 0;
    for endpoint in endpoints() {
        let good = (endpoint.request)(&fixture);
        let (method, path) = (endpoint.method(), endpoint.path());
        for bad in endpoint.bad {
            let (name, requests) = bad.of(&good);
            for request in requests {
                let wrong = Interface::get().request_differences(
                    method.as_str(),
                    path,
                    &request.query,
                    request.body.as_ref(),
                );
                match wrong {
                    Some(_) => refused += 1,
                    None => drop(accepted.insert((name, value(*bad, name, &request)))),
                }
            }
        }
    }
    let beyond: BTreeSet<(&str, String)> = BEYOND
        .iter()
        .flat_map(|(name, _, values)| values.iter().map(|value| (*name, (*value).to_owned())))
        .collect();
    assert_eq!(accepted, beyond);
    assert!(refused > 300, "{refused}");
}

/// What was sent under this name, in JSON.
fn value(bad: Bad, name: &str, sent: &Sent) -> String {
    if let Bad::Field(_, value) = bad {
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
