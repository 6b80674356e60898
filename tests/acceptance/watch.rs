//! `cargo lambda watch` serves the paths of the route tables.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// The path pattern that matches every path without a function.
const REST: &str = "/{*path}";

/// Writes a path of API Gateway as `cargo lambda watch` writes it: `/docs/{file+}` as `/docs/{*file}`.
fn watched_path(path: &str) -> String {
    path.replace('{', "{*").replace("+}", "}")
}

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
    let watched: BTreeMap<String, &str> = router
        .iter()
        .map(|(path, function)| (path.clone(), function.as_str().unwrap()))
        .collect();
    let functions = openapi::endpoints::functions().into_iter();
    let served: BTreeMap<String, &str> = functions
        .flat_map(|function| {
            function
                .paths()
                .into_iter()
                .map(move |path| (watched_path(&path), function.name))
        })
        .chain([(REST.to_owned(), openapi::endpoints::fallback().name)])
        .collect();
    assert_eq!(watched, served);
}
