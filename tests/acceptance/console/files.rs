//! The page of the console and its files.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use acceptance::World;
use flate2::read::GzDecoder;
use reqwest::{Method, Response};

use super::{assert_no_inline_code, attributes, get, get_raw, header, request};
use crate::docs::root as repository;

/// The most that all files may have together when they are compressed, in bytes.
const MAX_BYTES: usize = 250_000;

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
    require-trusted-types-for 'script'; trusted-types 'none'";

fn add_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            add_files(&path, files);
        } else {
            files.push(path);
        }
    }
}

/// Returns the path in the console's folder and the content of each file, except the page.
fn files() -> Vec<(String, Vec<u8>)> {
    let folder = repository().join("functions/console/static");
    let mut files = Vec::new();
    add_files(&folder, &mut files);
    let name = |file: &Path| file.strip_prefix(&folder).unwrap().to_str().unwrap().to_owned();
    files
        .iter()
        .map(|file| (name(file), fs::read(file).unwrap()))
        .filter(|(name, _)| name != "index.html" && !name.starts_with('.'))
        .collect()
}

/// Returns the page, and the path below which the files are.
async fn page(world: &World) -> (String, String) {
    let page = get(world, "/").await.text().await.unwrap();
    let (_, rest) = page.split_once("/console/").unwrap();
    let hash = rest.split('/').next().unwrap();
    assert!(
        hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit()),
        "{hash}"
    );
    let folder = format!("/console/{hash}");
    (page, folder)
}

async fn get_packed(world: &World, path: &str) -> Response {
    let request = request(world, Method::GET, path).header("accept-encoding", "gzip, deflate, br");
    request.send().await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_page_is_at_the_root_and_every_visit_asks_whether_it_has_changed() {
    let world = World::start().await;
    let answer = get(&world, "/").await;
    assert_eq!(answer.status(), 200);
    assert_eq!(header(&answer, "content-type"), "text/html; charset=utf-8");
    assert_eq!(header(&answer, "cache-control"), "no-cache");
    assert_eq!(header(&answer, "content-security-policy"), POLICY);
    let page = answer.text().await.unwrap();
    assert!(
        page.starts_with("<!DOCTYPE html>") && !page.contains("{files}"),
        "{page}"
    );
    assert_no_inline_code(&page);
    assert_eq!(get(&world, "/?a=b").await.text().await.unwrap(), page);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_page_loads_only_files_of_the_console() {
    let world = World::start().await;
    let (page, folder) = page(&world).await;
    let named = attributes(&page).filter(|value| value.starts_with('/') || value.contains("://"));
    let named: Vec<&str> = named.filter(|value| value.len() > 1).collect();
    assert!(named.iter().any(|path| path.starts_with(&folder)), "{named:?}");
    for path in named {
        assert!(!path.contains("://"), "{path}");
        assert_eq!(get(&world, path).await.status(), 200, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_file_is_served_for_good_with_its_type_compressed_and_plain() {
    let world = World::start().await;
    let (_, folder) = page(&world).await;
    let mut packed_bytes = 0;
    for (name, content) in files() {
        let path = format!("{folder}/{name}");
        let plain = get(&world, &path).await;
        let packed = get_packed(&world, &path).await;
        for answer in [&plain, &packed] {
            assert_eq!(answer.status(), 200, "{name}");
            assert_eq!(
                header(answer, "cache-control"),
                "public, max-age=31536000, immutable"
            );
            assert_eq!(header(answer, "vary"), "accept-encoding");
            assert_eq!(header(answer, "content-security-policy"), POLICY);
            let media_type = header(answer, "content-type");
            let ending = name.rsplit_once('.').map(|(_, ending)| ending);
            match ending {
                Some("js" | "mjs") => assert_eq!(media_type, "text/javascript; charset=utf-8", "{name}"),
                Some("css") => assert_eq!(media_type, "text/css; charset=utf-8", "{name}"),
                Some("svg") => assert_eq!(media_type, "image/svg+xml", "{name}"),
                _ => assert!(!media_type.is_empty(), "{name}"),
            }
        }
        assert_eq!(header(&plain, "content-encoding"), "");
        assert_eq!(header(&packed, "content-encoding"), "gzip");
        assert_eq!(header(&plain, "etag"), header(&packed, "etag"));
        assert_eq!(plain.bytes().await.unwrap(), content, "{name}");
        let packed = packed.bytes().await.unwrap();
        packed_bytes += packed.len();
        let mut unpacked = Vec::new();
        GzDecoder::new(&*packed).read_to_end(&mut unpacked).unwrap();
        assert_eq!(unpacked, content, "{name}");
    }
    packed_bytes += get_packed(&world, "/").await.bytes().await.unwrap().len();
    assert!(packed_bytes <= MAX_BYTES, "{packed_bytes}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_with_a_copy_gets_304_without_a_body() {
    let world = World::start().await;
    for path in ["/", "/docs", "/openapi.json", "/llms.txt"] {
        let answer = get(&world, path).await;
        let tag = header(&answer, "etag").to_owned();
        assert!(tag.starts_with("W/\"") && tag.len() > 10, "{path} {tag}");
        let with = |tag: &str| request(&world, Method::GET, path).header("if-none-match", tag);
        let unchanged = with(&tag).send().await.unwrap();
        assert_eq!(unchanged.status(), 304, "{path}");
        assert_eq!(header(&unchanged, "etag"), tag);
        for name in ["cache-control", "vary", "content-security-policy"] {
            assert_eq!(header(&unchanged, name), header(&answer, name), "{path}");
        }
        assert!(unchanged.bytes().await.unwrap().is_empty());
        let changed = with("W/\"0123456789abcdef\"").send().await.unwrap();
        assert_eq!(changed.status(), 200, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn head_has_the_headers_of_get_and_no_body_and_other_methods_are_405() {
    let world = World::start().await;
    let (_, folder) = page(&world).await;
    let first = format!("{folder}/{}", files().first().expect("a file").0);
    for path in [
        "/",
        &first,
        "/docs",
        "/docs/swagger-ui.css",
        "/v1/openapi.json",
        "/llms.txt",
    ] {
        let got = get(&world, path).await;
        let head = request(&world, Method::HEAD, path).send().await.unwrap();
        assert_eq!(head.status(), 200, "{path}");
        for name in [
            "content-type",
            "cache-control",
            "content-security-policy",
            "etag",
            "vary",
        ] {
            assert_eq!(header(&head, name), header(&got, name), "{path} {name}");
        }
        assert!(head.bytes().await.unwrap().is_empty());
        for method in [
            Method::POST,
            Method::PUT,
            Method::PATCH,
            Method::DELETE,
            Method::OPTIONS,
        ] {
            let answer = request(&world, method.clone(), path).send().await.unwrap();
            assert_eq!(answer.status(), 405, "{method} {path}");
            assert_eq!(header(&answer, "allow"), "GET, HEAD");
            assert_eq!(answer.text().await.unwrap(), "Method not allowed\n");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_no_file_is_404_however_its_path_is_written() {
    let world = World::start().await;
    let (_, folder) = page(&world).await;
    let file = files().first().expect("a file").0.clone();
    for path in [
        format!("/console/0123456789abcdef/{file}"),
        format!("/console/{file}"),
        folder.clone(),
        format!("{folder}/"),
        format!("{folder}/nothing.js"),
        format!("{folder}/index.html"),
        format!("{folder}/{file}/"),
        format!("{folder}//{file}"),
        format!("{folder}/./{file}"),
        format!("{folder}/x/../{file}"),
        format!("{folder}/%2e%2e/{file}"),
        format!("{folder}/..%2f..%2fCargo.toml"),
        format!("{folder}/../../Cargo.toml"),
        format!("{folder}/../../../../../../etc/passwd"),
        format!("{folder}/..%5c..%5cCargo.toml"),
        format!("{folder}/{file}%00"),
        "/console/".to_owned(),
        "/docs/../openapi.json".to_owned(),
        "/docs/nothing".to_owned(),
        "/docs//".to_owned(),
    ] {
        let answer = get_raw(&world, &path).await;
        assert_eq!(answer.status, 404, "{path}");
        assert_eq!(answer.body, b"Not found\n", "{path}");
        assert_eq!(answer.header("content-type"), Some("text/plain; charset=utf-8"));
        assert_eq!(answer.header("cache-control"), Some("no-cache"));
    }
    // The path is decoded, as everywhere.
    let encoded = format!("{folder}/{}", file.replacen('.', "%2e", 1));
    assert_eq!(get_raw(&world, &encoded).await.status, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_response_tells_the_browser_what_not_to_do() {
    let world = World::start().await;
    let (_, folder) = page(&world).await;
    for (method, path, status) in [
        (Method::GET, "/", 200),
        (Method::HEAD, "/", 200),
        (Method::POST, "/", 405),
        (Method::GET, "/docs", 200),
        (Method::GET, "/docs/swagger-ui-bundle.js", 200),
        (Method::GET, "/openapi.json", 200),
        (Method::GET, "/llms.txt", 200),
        (Method::GET, &format!("{folder}/nothing.js"), 404),
    ] {
        let answer = request(&world, method.clone(), path).send().await.unwrap();
        assert_eq!(answer.status(), status, "{method} {path}");
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-opener-policy", "same-origin"),
            ("permissions-policy", "camera=(), geolocation=(), microphone=()"),
            ("strict-transport-security", "max-age=31536000"),
        ] {
            assert_eq!(header(&answer, name), value, "{method} {path}");
        }
        let policy = header(&answer, "content-security-policy");
        assert!(policy.starts_with("default-src 'none'; "), "{path} {policy}");
        assert!(policy.contains("frame-ancestors 'none'"), "{path} {policy}");
        assert!(!header(&answer, "x-request-id").is_empty(), "{path}");
    }
}
