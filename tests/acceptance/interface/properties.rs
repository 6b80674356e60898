//! Every described property occurs in a response.

use std::collections::{BTreeMap, BTreeSet};

use acceptance::{ApiContract, ApiResponse, World};
use serde_json::Value;

use super::operations;
use super::populated_workspace::record_populated_responses;
use super::schema_properties::{described_properties, present_properties};
use crate::contract::{Fixture, endpoints};

/// Properties of shared schemas that one operation never returns.
const NEVER_RETURNED: &[(&str, &str)] = &[
    // A new request is not reviewed yet.
    ("POST /entities/name-request", "NameRequest/reviewedAt"),
    ("POST /entities/name-request", "NameRequest/reviewNote"),
    // Citations can always be compared.
    ("GET /trends/compare", "CitationShareChange/reason"),
    ("GET /trends/compare", "ModelCitationShareChange/reason"),
    ("GET /trends/compare", "PromptCitationShareChange/reason"),
    ("GET /trends/compare", "TagCitationShareChange/reason"),
    // A new webhook is enabled and has one secret.
    ("POST /webhooks", "Webhook/disabled"),
    ("POST /webhooks", "Webhook/oldSecretExpiresAt"),
    ("POST /webhooks", "WebhookDisabling/at"),
    ("POST /webhooks", "WebhookDisabling/reason"),
];

/// The properties that occurred in successful responses, by route.
#[derive(Default)]
pub(super) struct SeenProperties(BTreeMap<String, BTreeSet<String>>);

impl SeenProperties {
    /// Records a successful response of a route and returns its body.
    #[track_caller]
    pub(super) fn note(&mut self, route: &str, answer: ApiResponse) -> Value {
        let body = answer.ok();
        present_properties(schema(route), &body, self.0.entry(route.to_owned()).or_default());
        body
    }
}

/// Returns the schema of a route's successful response.
fn schema(route: &str) -> &'static Value {
    let (method, path) = route.split_once(' ').unwrap();
    let operation = &ApiContract::get().document()["paths"][path][method.to_lowercase()];
    &operation["responses"]["200"]["content"]["application/json"]["schema"]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_good_request_is_described_and_every_property_occurs_in_an_answer() {
    let world = World::start().await;
    let mut occurring = SeenProperties::default();
    for endpoint in endpoints() {
        let fixture = Fixture::new(&world).await;
        let request = (endpoint.request)(&fixture);
        let (method, path) = (endpoint.method(), endpoint.path());
        let wrong = ApiContract::get().request_violation(
            method.as_str(),
            path,
            &request.query,
            request.body.as_ref(),
        );
        assert_eq!(wrong, None, "{}", endpoint.route);
        let answer = endpoint.send(&world, Some(&fixture.account.key), &request).await;
        occurring.note(endpoint.route, answer);
    }
    record_populated_responses(&mut occurring).await;

    let mut missing = Vec::new();
    for (method, path, _) in operations() {
        let route = format!("{method} {path}");
        let mut expected = BTreeSet::new();
        described_properties(schema(&route), &mut expected);
        let occurred = occurring.0.remove(&route).unwrap_or_default();
        let paths = expected
            .difference(&occurred)
            .map(|path| (route.clone(), path.clone()));
        missing.extend(paths);
    }
    let never: Vec<(String, String)> = NEVER_RETURNED
        .iter()
        .map(|(a, b)| ((*a).to_owned(), (*b).to_owned()))
        .collect();
    assert_eq!(
        missing.into_iter().collect::<BTreeSet<_>>(),
        never.into_iter().collect::<BTreeSet<_>>()
    );
}
