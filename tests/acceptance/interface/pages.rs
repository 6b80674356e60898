//! The pages on which the local host serves the OpenAPI document.

use acceptance::World;
use reqwest::{Client, Response};
use serde_json::Value;

async fn get(world: &World, path: &str) -> Response {
    let root = world.host.ready.base_url.trim_end_matches("/v1");
    let client = Client::builder().no_proxy().build().unwrap();
    client.get(format!("{root}{path}")).send().await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_document_is_served_without_a_key() {
    let world = World::start().await;
    let answer = get(&world, "/v1/openapi.json").await;
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()["content-type"], "application/json");
    assert_eq!(answer.text().await.unwrap(), openapi::printed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn its_page_loads_what_the_host_has_and_nothing_else() {
    let world = World::start().await;
    for path in ["/docs", "/docs/", "/docs?a=b"] {
        let page = get(&world, path).await;
        assert_eq!(page.status(), 200, "{path}");
        assert_eq!(page.headers()["content-type"], "text/html");
        let policy = page.headers()["content-security-policy"]
            .to_str()
            .unwrap()
            .to_owned();
        assert!(
            policy.starts_with("default-src 'self';") && !policy.contains("http"),
            "{policy}"
        );
        let html = page.text().await.unwrap();
        assert!(
            html.contains("'/v1/openapi.json'") && !html.contains("://"),
            "{html}"
        );
        let loaded = html.split(['"', '\'']).filter(|text| text.starts_with('/'));
        let loaded: Vec<&str> = loaded.collect();
        assert_eq!(
            loaded,
            [
                "/docs/swagger-ui.css",
                "/docs/swagger-ui-bundle.js",
                "/v1/openapi.json"
            ]
        );
        for file in loaded {
            let file = get(&world, file).await;
            assert_eq!(file.status(), 200, "{}", file.url());
            assert!(file.text().await.unwrap().len() > 10_000);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_the_host_has_these_paths() {
    let served = crate::contract::coverage::served();
    assert!(
        served
            .iter()
            .all(|(_, path)| !path.contains("openapi") && !path.contains("docs"))
    );
    let template = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../template.yaml")).unwrap();
    assert!(!template.contains("openapi.json") && !template.contains("/docs"));
    // Neighboring paths are unknown paths.
    let world = World::start().await;
    for path in ["/v1/openapi", "/v1/docs", "/docs/nothing"] {
        let answer = get(&world, path).await;
        assert_eq!(answer.status(), 404, "{path}");
        let body: Value = answer.json().await.unwrap();
        assert_eq!(body["error"], "Path not found", "{path}");
    }
}
