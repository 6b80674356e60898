//! The routes of the template match the route tables of the functions.

use std::collections::BTreeSet;

use super::{events, functions, root, tables, template, text};

#[test]
fn the_templates_routes_are_the_route_tables() {
    let tables = tables();
    let template = template();
    for (name, function) in functions(&template) {
        let mut paths = BTreeSet::new();
        for event in events(&function, "HttpApi") {
            assert_eq!(event["ApiId"], "Api");
            match event.get("Path") {
                Some(path) => {
                    assert_eq!(event["Method"], "ANY", "404 and 405 are the service's own");
                    paths.insert(text(path));
                }
                // An event without a path and a method is API Gateway's `$default`.
                None => assert_eq!(name, "workspace", "one function answers unknown paths"),
            }
        }
        assert_eq!(paths, tables[name.as_str()], "{name}");
    }
    let workspace = &functions(&template)["workspace"];
    assert_eq!(
        events(workspace, "HttpApi")
            .iter()
            .filter(|e| e.get("Path").is_none())
            .count(),
        1
    );
}

#[test]
fn no_path_has_two_functions() {
    let mut seen = BTreeSet::new();
    for path in tables().into_values().flatten() {
        let is_other = path == mcp::PATH || console::PATHS.contains(&path.as_str());
        assert!(path.starts_with(api::BASE_PATH) || is_other, "{path}");
        assert!(seen.insert(path.clone()), "{path}");
    }
}

#[test]
fn the_sample_requests_are_what_the_functions_read() {
    let sample = |name: &str| {
        let path = root().join("infra/events").join(name);
        serde_json::from_str::<serde_json::Value>(&std::fs::read_to_string(path).unwrap()).unwrap()
    };
    for (name, method, path) in [
        ("api-get.json", "GET", "/v1/trends/visibility"),
        ("api-post.json", "POST", "/v1/entities"),
    ] {
        let request = lambda_http::request::from_str(&sample(name).to_string()).unwrap();
        assert_eq!(
            (request.method().as_str(), request.uri().path()),
            (method, path),
            "{name}"
        );
    }
}
