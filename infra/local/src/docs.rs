//! The OpenAPI document at `/v1/openapi.json`, and at `/docs` a page that renders it.

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

/// As `cargo run -p openapi` wrote it: that crate would turn on features that no function needs.
const DOCUMENT: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../openapi.json"));
const PAGE: &str = "/docs";
/// The page loads what this host has and nothing else; its own script and styles are in it.
const OWN_ALONE: HeaderValue = HeaderValue::from_static(
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:",
);

/// Needs no key, and is no part of the API that is deployed.
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
        .layer(map_request(one_address))
        .layer(map_response(of_own_alone))
        .route(&file, get(move || std::future::ready((json, document.clone()))))
}

/// The page names its files by the address that it was asked for: always the same one.
async fn one_address(mut request: Request) -> Request {
    if request.uri().path().trim_end_matches('/') == PAGE {
        *request.uri_mut() = Uri::from_static(PAGE);
    }
    request
}

async fn of_own_alone(mut response: Response) -> Response {
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, OWN_ALONE);
    response
}
