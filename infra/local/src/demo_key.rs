//! The key of the demo workspace, with which the console signs in on this machine. A deployed service has no
//! such path.

use axum::Router;
use axum::routing::get;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use serde_json::json;

use crate::local_programs::only_local_programs_and_own_pages;

const PATH: &str = "/demo-key";

/// Returns the route of the key. Without a demo workspace, the key is null.
pub(crate) fn router(api_key: Option<&str>) -> Router {
    let body = json!({ "apiKey": api_key }).to_string();
    let headers = [
        (CONTENT_TYPE, "application/json"),
        (CACHE_CONTROL, "no-store"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    let answer = get(move || std::future::ready((headers, body.clone())));
    only_local_programs_and_own_pages(Router::new().route(PATH, answer))
}
