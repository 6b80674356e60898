//! The OpenAPI document, the page that renders it, and the index of the API for language models.

use acceptance::World;
use serde_json::Value;

use super::{assert_no_inline_code, attributes, get, header};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_document_is_served_without_a_key() {
    let world = World::start().await;
    for path in ["/openapi.json", "/v1/openapi.json"] {
        let answer = get(&world, path).await;
        assert_eq!(answer.status(), 200, "{path}");
        assert_eq!(header(&answer, "content-type"), "application/json");
        assert_eq!(answer.text().await.unwrap(), openapi::printed());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn its_page_loads_what_the_function_has_and_nothing_else() {
    let world = World::start().await;
    for path in ["/docs", "/docs/", "/docs?a=b"] {
        let page = get(&world, path).await;
        assert_eq!(page.status(), 200, "{path}");
        assert_eq!(header(&page, "content-type"), "text/html; charset=utf-8");
        let policy = header(&page, "content-security-policy").to_owned();
        assert!(
            policy.contains("script-src 'self'; style-src 'self';"),
            "{policy}"
        );
        assert!(!policy.contains("unsafe") && !policy.contains("http"), "{policy}");
        let html = page.text().await.unwrap();
        assert_no_inline_code(&html);
        assert!(!html.contains("://"), "{html}");
        let loaded: Vec<&str> = attributes(&html).filter(|value| value.starts_with('/')).collect();
        assert_eq!(
            loaded,
            [
                "/docs/swagger-ui.css",
                "/docs/swagger-ui-bundle.js",
                "/docs/start.js"
            ]
        );
        for file in &loaded {
            let file = get(&world, file).await;
            assert_eq!(file.status(), 200, "{}", file.url());
            assert!(file.text().await.unwrap().len() > 50);
        }
    }
    let start = get(&world, "/docs/start.js").await.text().await.unwrap();
    assert!(start.contains("url: \"/openapi.json\""), "{start}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_index_for_language_models_names_every_operation_and_links_to_what_exists() {
    let world = World::start().await;
    let answer = get(&world, "/llms.txt").await;
    assert_eq!(answer.status(), 200);
    assert_eq!(header(&answer, "content-type"), "text/plain; charset=utf-8");
    let index = answer.text().await.unwrap();
    let document: Value = serde_json::from_str(&openapi::printed()).unwrap();
    let mut lines = index.lines();
    assert_eq!(lines.next(), Some("# Visibility Tracking Service"));
    let summary = document["info"]["summary"].as_str().unwrap();
    assert!(lines.any(|line| line == format!("> {summary}")), "{index}");
    assert!(index.contains("Authorization: Bearer wsk_"), "{index}");
    let mut operations = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let (method, summary) = (method.to_uppercase(), operation["summary"].as_str().unwrap());
            let line = format!("- [{method} /v1{path}](/openapi.json): {summary}");
            assert_eq!(index.lines().filter(|known| *known == line).count(), 1, "{line}");
            operations += 1;
        }
    }
    assert!(operations >= 30, "{operations}");
    let links = index.split("](").skip(1);
    for link in links.map(|rest| rest.split(')').next().unwrap()) {
        let status = get(&world, link).await.status();
        // The tools are called by POST.
        assert_eq!(status, if link == mcp::PATH { 405 } else { 200 }, "{link}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn paths_beside_those_of_the_documents_are_unknown_paths_of_the_api() {
    let served = crate::contract::coverage::served();
    assert!(
        served
            .iter()
            .all(|(_, path)| !path.contains("openapi") && !path.contains("docs"))
    );
    let world = World::start().await;
    for path in ["/v1/openapi", "/v1/docs", "/openapi", "/console", "/favicon.ico"] {
        let answer = get(&world, path).await;
        assert_eq!(answer.status(), 404, "{path}");
        let body: Value = answer.json().await.unwrap();
        assert_eq!(body["error"], "Path not found", "{path}");
    }
}
