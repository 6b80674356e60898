//! Keeps web pages away from what is for programs on this machine.

use axum::Router;
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use http::header::{HOST, ORIGIN};
use http::uri::Authority;
use http::{HeaderMap, HeaderValue, StatusCode, Uri};

/// The names of this machine. Docker Desktop gives the last one to containers; nobody can register it.
const LOCAL_HOSTS: [&str; 4] = ["localhost", "127.0.0.1", "[::1]", "host.docker.internal"];

/// The header with which a browser tells whose page sends a request.
const SEC_FETCH_SITE: &str = "sec-fetch-site";

const HAS_ORIGIN: &str =
    "This is for programs on this machine. It refuses requests of web pages, which have an Origin.\n";
const FOREIGN_PAGE: &str =
    "This is for programs on this machine. It refuses requests of pages of other origins.\n";
const FOREIGN_HOST: &str =
    "This is for programs on this machine. The Host must be localhost, 127.0.0.1 or [::1].\n";

/// Refuses requests of web pages: those that have an `Origin`, and those for the name of another machine, which a page can
/// have resolved to this one.
pub(crate) fn only_local_programs(router: Router) -> Router {
    router.layer(from_fn(refuse_web_pages))
}

/// Refuses requests of web pages as [`only_local_programs`] does, except those of pages that this server itself serves.
pub(crate) fn only_local_programs_and_own_pages(router: Router) -> Router {
    router.layer(from_fn(refuse_foreign_web_pages))
}

async fn refuse_foreign_web_pages(request: Request, next: Next) -> Response {
    let refusal = if is_of_foreign_page(request.headers()) {
        FOREIGN_PAGE
    } else if is_for_this_machine(request.uri(), request.headers()) {
        return next.run(request).await;
    } else {
        FOREIGN_HOST
    };
    (StatusCode::FORBIDDEN, refusal).into_response()
}

/// Returns whether a page of another origin sent the request. A browser says so in at least one of these headers, except for
/// what the user opens.
fn is_of_foreign_page(headers: &HeaderMap) -> bool {
    let is_own = |origin: &HeaderValue| {
        let origin = origin.as_bytes().strip_prefix(b"http://");
        origin.is_some() && origin == headers.get(HOST).map(HeaderValue::as_bytes)
    };
    let is_own_site = |site: &HeaderValue| site == "same-origin" || site == "none";
    !headers.get_all(ORIGIN).iter().all(is_own) || !headers.get_all(SEC_FETCH_SITE).iter().all(is_own_site)
}

async fn refuse_web_pages(request: Request, next: Next) -> Response {
    let refusal = if request.headers().contains_key(ORIGIN) {
        HAS_ORIGIN
    } else if is_for_this_machine(request.uri(), request.headers()) {
        return next.run(request).await;
    } else {
        FOREIGN_HOST
    };
    (StatusCode::FORBIDDEN, refusal).into_response()
}

/// Returns whether there is a host and every host that the request names is this machine.
fn is_for_this_machine(uri: &Uri, headers: &HeaderMap) -> bool {
    let mut named = headers.get_all(HOST).iter().map(|host| {
        let authority = Authority::try_from(host.as_bytes());
        authority.is_ok_and(|authority| is_local(&authority))
    });
    named.next().unwrap_or_default() && named.all(|is_local| is_local) && uri.authority().is_none_or(is_local)
}

fn is_local(authority: &Authority) -> bool {
    let is_named = |local: &&str| authority.host().eq_ignore_ascii_case(local);
    !authority.as_str().contains('@') && LOCAL_HOSTS.iter().any(is_named)
}
