//! `cargo lambda watch` serves the paths of the route tables.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// What takes every path that is nobody's: its 404 is the service's own.
const REST: (&str, &str) = ("/{*path}", "workspace");

#[test]
fn watch_has_every_path_with_the_function_that_serves_it() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap())
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let router = metadata["metadata"]["lambda"]["watch"]["router"]
        .as_object()
        .unwrap();
    let watched: BTreeMap<&str, &str> = router
        .iter()
        .map(|(path, function)| (path.as_str(), function.as_str().unwrap()))
        .collect();
    let endpoints = local::endpoints();
    let served: BTreeMap<&str, &str> = endpoints
        .iter()
        .map(|(function, _, path)| (path.as_str(), *function))
        .chain([REST])
        .collect();
    assert_eq!(watched, served);
}
