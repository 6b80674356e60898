//! Every route has a good request, and every good request belongs to a route.

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
