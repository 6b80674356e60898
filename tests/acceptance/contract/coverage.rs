//! Every route has contract cases, and every case belongs to a route.

use std::collections::BTreeSet;

use super::endpoints;

/// Returns the method and path of every route that the functions serve.
pub(crate) fn served() -> Vec<(&'static str, &'static str)> {
    ::openapi::endpoints::all()
        .map(|endpoint| (endpoint.method.name(), endpoint.path))
        .collect()
}

#[test]
fn every_route_has_cases_and_every_case_a_route() {
    let served: BTreeSet<String> = served()
        .iter()
        .map(|(method, path)| format!("{method} {path}"))
        .collect();
    let declared: Vec<&str> = endpoints().map(|endpoint| endpoint.route).collect();
    let distinct: BTreeSet<String> = declared.iter().map(|route| (*route).to_owned()).collect();
    assert_eq!(
        distinct.len(),
        declared.len(),
        "cases are declared twice: {declared:?}"
    );
    assert_eq!(distinct, served);
}

/// Endpoints that read no input and therefore have no invalid input.
const WITHOUT_INPUT: [&str; 2] = ["GET /keys/self", "GET /workspace"];

#[test]
fn every_endpoint_with_input_has_bad_input_and_names_its_subject_in_it() {
    for endpoint in endpoints() {
        let has_input = !WITHOUT_INPUT.contains(&endpoint.route);
        assert_eq!(
            !endpoint.invalid_inputs.is_empty(),
            has_input,
            "{}",
            endpoint.route
        );
        if let Some(subject) = endpoint.subject {
            let missing = format!("{:?}", super::InvalidInput::Missing(subject));
            let tested = endpoint
                .invalid_inputs
                .iter()
                .any(|invalid| format!("{invalid:?}") == missing);
            assert!(tested, "{}: no case without {subject}", endpoint.route);
        }
    }
}
