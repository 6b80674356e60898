//! The headers of responses.

use lambda_http::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HeaderMap, HeaderName, HeaderValue,
    REFERRER_POLICY, STRICT_TRANSPORT_SECURITY, VARY, X_CONTENT_TYPE_OPTIONS,
};

use crate::file::{Caching, File, Policy};

/// The headers of every response.
const COMMON: [(HeaderName, &str); 5] = [
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (STRICT_TRANSPORT_SECURITY, "max-age=31536000"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), geolocation=(), microphone=()",
    ),
];

/// The console loads only its own files, sends requests only to its own origin, and turns no text into code
/// or markup.
const CONSOLE: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
    require-trusted-types-for 'script'; trusted-types 'none'";
/// Swagger UI has its icons as `data:` URLs.
const DOCS: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// Data is no page, so it loads nothing.
const DOCUMENT: &str = "default-src 'none'; frame-ancestors 'none'";

/// Adds the headers of a response that has no file, whose body is plain text.
pub(crate) fn add_plain(headers: &mut HeaderMap) {
    add(headers, CONTENT_TYPE, "text/plain; charset=utf-8");
    add(headers, CACHE_CONTROL, "no-cache");
    add(headers, CONTENT_SECURITY_POLICY, DOCUMENT);
    add_common(headers);
}

/// Adds the headers of a response that has this file, or that confirms a client's copy of it.
pub(crate) fn add_file(headers: &mut HeaderMap, file: &File) {
    let caching = match file.caching {
        Caching::Immutable => "public, max-age=31536000, immutable",
        Caching::Revalidated => "no-cache",
    };
    let policy = match file.policy {
        Policy::Console => CONSOLE,
        Policy::Docs => DOCS,
        Policy::Document => DOCUMENT,
    };
    add(headers, CONTENT_TYPE, file.media_type);
    add(headers, CACHE_CONTROL, caching);
    add(headers, CONTENT_SECURITY_POLICY, policy);
    add(headers, ETAG, file.tag);
    add(headers, VARY, "accept-encoding");
    add_common(headers);
}

fn add_common(headers: &mut HeaderMap) {
    for (name, value) in COMMON {
        add(headers, name, value);
    }
}

fn add(headers: &mut HeaderMap, name: HeaderName, value: &'static str) {
    headers.insert(name, HeaderValue::from_static(value));
}
