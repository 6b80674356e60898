//! The key of the demo workspace, which the local host tells to its own page and to programs on this machine.

use acceptance::World;
use reqwest::Method;

use super::{get, header, request, root};

const PATH: &str = "/demo-key";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_demo_workspace_there_is_no_key() {
    let world = World::start().await;
    assert!(world.host.ready.api_key.is_none());
    let answer = get(&world, PATH).await;
    assert_eq!(answer.status(), 200);
    assert_eq!(header(&answer, "content-type"), "application/json");
    assert_eq!(header(&answer, "cache-control"), "no-store");
    assert_eq!(answer.text().await.unwrap(), r#"{"apiKey":null}"#);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_hosts_own_page_and_programs_get_the_key_and_no_other_page_does() {
    let world = World::start().await;
    let own = root(&world);
    let port = own.rsplit(':').next().unwrap();
    let localhost = format!("localhost:{port}");
    let status = async |headers: &[(&str, &str)]| {
        let mut request = request(&world, Method::GET, PATH);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let answer = request.send().await.unwrap();
        assert_eq!(header(&answer, "access-control-allow-origin"), "");
        let status = answer.status().as_u16();
        let text = answer.text().await.unwrap();
        assert_eq!(text.contains("apiKey"), status == 200, "{headers:?} {text}");
        status
    };
    for headers in [
        [].as_slice(),
        &[("sec-fetch-site", "same-origin")],
        &[("sec-fetch-site", "none")],
        &[("origin", own), ("sec-fetch-site", "same-origin")],
        &[("host", "localhost")],
        &[("host", "[::1]:9400")],
        &[("host", &localhost), ("origin", &format!("http://{localhost}"))],
    ] {
        assert_eq!(status(headers).await, 200, "{headers:?}");
    }
    for headers in [
        [("sec-fetch-site", "cross-site")].as_slice(),
        &[("sec-fetch-site", "same-site")],
        &[("sec-fetch-site", "")],
        &[("origin", "http://evil.example")],
        &[("origin", "http://localhost:1")],
        &[("origin", "null")],
        &[("origin", "")],
        &[("origin", &own.replace("http:", "https:"))],
        &[("origin", own), ("sec-fetch-site", "cross-site")],
        &[("host", "evil.example"), ("origin", "http://evil.example")],
        &[("host", "evil.example")],
        &[("host", "127.0.0.1.evil.example")],
        &[("host", "localhost@evil.example")],
        &[("host", "192.168.0.7:9400")],
        &[("host", "")],
    ] {
        assert_eq!(status(headers).await, 403, "{headers:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_key_is_read_with_get_alone_and_no_function_has_its_path() {
    let world = World::start().await;
    for method in [Method::POST, Method::PUT, Method::DELETE, Method::OPTIONS] {
        let answer = request(&world, method.clone(), PATH).send().await.unwrap();
        assert_eq!(answer.status(), 405, "{method}");
    }
    let mut paths = openapi::endpoints::functions()
        .into_iter()
        .flat_map(|function| function.paths());
    assert!(!paths.any(|path| path == PATH));
}
