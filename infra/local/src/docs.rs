//! The OpenAPI document at `/v1/openapi.json`, and a page at `/docs` that renders it.

use api::BASE_PATH;
use axum::Router;
use axum::body::Bytes;
use axum::extract::Request;
use axum::middleware::{map_request, map_response};
use axum::response::Response;
use axum::routing::get;
use http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use http::{HeaderValue, Uri};
use swagger_ui_dist::{ApiDefinition, OpenApiSource, generate_routes};

/// The file that `cargo run -p openapi` wrote. A dependency on that crate would turn on features that no function needs.
const DOCUMENT: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../openapi.json"));
const PAGE: &str = "/docs";
/// The page loads files only from this host. Its script and styles are inline.
const CONTENT_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:",
);

/// Returns the routes of the document and the page. They need no key and are not part of the deployed API.
pub(crate) fn pages() -> Router {
    let file = format!("{BASE_PATH}/openapi.json");
    let viewer = generate_routes(ApiDefinition {
        uri_prefix: PAGE.to_owned(),
        api_definition: OpenApiSource::Uri(file.clone()),
        title: Some("Visibility Tracking Service".to_owned()),
    });
    let document = Bytes::from_static(DOCUMENT);
    let json = [(CONTENT_TYPE, "application/json")];
    viewer
        .layer(map_request(normalize_path))
        .layer(map_response(add_content_policy))
        .route(&file, get(move || std::future::ready((json, document.clone()))))
}

/// Rewrites `/docs/` to `/docs`, because the page builds the addresses of its files from its own.
async fn normalize_path(mut request: Request) -> Request {
    if request.uri().path().trim_end_matches('/') == PAGE {
        *request.uri_mut() = Uri::from_static(PAGE);
    }
    request
}

async fn add_content_policy(mut response: Response) -> Response {
    response
        .headers_mut()
        .insert(CONTENT_SECURITY_POLICY, CONTENT_POLICY);
    response
}
