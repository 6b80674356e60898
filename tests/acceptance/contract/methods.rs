//! A path accepts only its own methods. All others are 405, with or without a key.

use std::collections::{BTreeMap, BTreeSet};

use acceptance::World;
use reqwest::Method;
use serde_json::json;

use super::coverage::served;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_other_method_of_a_path_is_405_and_told_which_are_allowed() {
    let world = World::start().await;
    let mut paths: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (method, path) in served() {
        paths.entry(path).or_default().insert(method);
    }
    for (path, allowed) in paths {
        for method in [
            "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "get", "FROB",
        ] {
            if allowed.contains(method) {
                continue;
            }
            let method = Method::from_bytes(method.as_bytes()).unwrap();
            // The method is checked before the key and the body.
            let request = world.request(method.clone(), path).body("[");
            let headers = if method == Method::HEAD {
                // It has no body, so that nothing but its head can be judged.
                let response = request.send().await.unwrap();
                assert_eq!(response.status(), 405, "{method} {path}");
                response.headers().clone()
            } else {
                let answer = World::execute(request).await;
                assert_eq!(
                    answer.body,
                    json!({"error": "Method not allowed"}),
                    "{method} {path}"
                );
                answer.headers
            };
            let shown: BTreeSet<&str> = headers["allow"].to_str().unwrap().split(", ").collect();
            assert_eq!(shown, allowed, "{method} {path}");
            assert!(headers.contains_key("x-request-id"), "{method} {path}");
        }
    }
}
