//! CORS: only web pages of the origins that the operator configures can call the API.

use std::collections::BTreeMap;

use acceptance::World;
use local::Options;
use reqwest::header::HeaderMap;
use reqwest::{Method, Response};
use runtime::Settings;

use crate::contract::endpoints;

const APP: &str = "https://app.example.com";

async fn allowing(origins: &'static str) -> World {
    let lookup = move |name: &str| (name == Settings::CORS_ORIGINS).then(|| origins.to_owned());
    World::with(Options::default(), lookup).await
}

/// Sends the preflight request that a browser sends before a page's request.
async fn preflight(world: &World, path: &str, origin: &str) -> Response {
    let request = world.request(Method::OPTIONS, path).header("origin", origin);
    let request = request.header("access-control-request-method", "PATCH");
    request.send().await.unwrap()
}

fn shown<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).map(|value| value.to_str().unwrap())
}

fn assert_for_nobody(headers: &HeaderMap) {
    let named = headers
        .keys()
        .filter(|name| name.as_str().starts_with("access-control"));
    assert_eq!(named.count(), 0, "{headers:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_preflight_of_every_path_is_answered_with_its_methods() {
    let world = allowing("https://other.example, https://app.example.com").await;
    let mut methods: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for endpoint in endpoints() {
        methods
            .entry(endpoint.path())
            .or_default()
            .push(endpoint.method().to_string());
    }
    for (path, mut methods) in methods {
        let response = preflight(&world, path, APP).await;
        assert_eq!(response.status(), 204, "{path}");
        let headers = response.headers();
        assert_eq!(shown(headers, "access-control-allow-origin"), Some(APP));
        let allowed = shown(headers, "access-control-allow-methods").unwrap();
        let mut allowed: Vec<&str> = allowed.split(", ").collect();
        allowed.sort_unstable();
        methods.sort_unstable();
        assert_eq!(allowed, methods, "{path}");
        let may_send = shown(headers, "access-control-allow-headers").unwrap();
        for header in ["authorization", "content-type", "idempotency-key", "x-api-key"] {
            assert!(may_send.contains(header), "{may_send}");
        }
        assert_eq!(shown(headers, "access-control-max-age"), Some("7200"));
        assert_eq!(shown(headers, "vary"), Some("origin"));
        assert!(headers.contains_key("x-request-id"), "{path}");
        assert_eq!(response.text().await.unwrap(), "", "{path}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_may_read_every_answer_errors_included() {
    let world = allowing(APP).await;
    let account = world.account().await;
    for (path, key, status) in [
        ("/workspace", Some(&account.key), 200),
        ("/workspace", None, 401),
        ("/entities/prompts", Some(&account.key), 400),
        ("/nowhere", Some(&account.key), 404),
    ] {
        let mut request = world.request(Method::GET, path).header("origin", APP);
        if let Some(key) = key {
            request = request.bearer_auth(key);
        }
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), status, "{path}");
        let headers = response.headers();
        assert_eq!(shown(headers, "access-control-allow-origin"), Some(APP), "{path}");
        let may_read = shown(headers, "access-control-expose-headers").unwrap();
        assert!(may_read.contains("x-request-id") && may_read.contains("retry-after"));
        assert_eq!(shown(headers, "vary"), Some("origin"));
        assert!(!headers.contains_key("access-control-allow-credentials"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unknown_paths_and_other_options_requests_stay_404_and_405() {
    let world = allowing(APP).await;
    assert_eq!(preflight(&world, "/nowhere", APP).await.status(), 404);
    let no_preflight = world.request(Method::OPTIONS, "/workspace").header("origin", APP);
    let response = no_preflight.send().await.unwrap();
    assert_eq!(response.status(), 405);
    assert_eq!(shown(response.headers(), "allow"), Some("GET"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_origin_that_is_not_named_gets_no_word_of_it() {
    for origins in ["", APP] {
        let world = allowing(origins).await;
        let near = [
            "https://evil.example",
            "https://app.example.com.evil.example",
            "http://app.example.com",
            "null",
        ];
        for origin in near {
            let response = preflight(&world, "/workspace", origin).await;
            assert_eq!(response.status(), 405, "{origin}");
            assert_for_nobody(response.headers());
            let asked = world.request(Method::GET, "/workspace").header("origin", origin);
            assert_for_nobody(asked.send().await.unwrap().headers());
        }
        let without = world.request(Method::GET, "/workspace").send().await.unwrap();
        assert_for_nobody(without.headers());
        // With configured origins, `vary` keeps caches from mixing responses of different origins.
        assert_eq!(without.headers().contains_key("vary"), !origins.is_empty());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_star_names_every_origin() {
    let world = allowing("*").await;
    let response = preflight(&world, "/workspace", "https://any.example").await;
    assert_eq!(response.status(), 204);
    assert_eq!(
        shown(response.headers(), "access-control-allow-origin"),
        Some("*")
    );
}
