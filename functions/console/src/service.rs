//! Answers requests for files.

use std::convert::Infallible;
use std::sync::Arc;

use domain::clock::Clock;
use lambda_http::http::header::{ALLOW, CONTENT_ENCODING, HeaderValue};
use lambda_http::http::{Method, StatusCode};
use lambda_http::{Body, Request, RequestExt, Response, Service, service_fn};

use crate::conditions::{accepts_gzip, has_copy};
use crate::file::File;
use crate::headers;

/// The paths that the function serves, as API Gateway writes them.
pub const PATHS: [&str; 7] = [
    "/",
    "/console/{file+}",
    "/docs",
    "/docs/{file+}",
    "/llms.txt",
    "/openapi.json",
    "/v1/openapi.json",
];

/// Creates the HTTP service. Lambda and the local host run it.
pub fn service(
    clock: Arc<dyn Clock>,
) -> impl Service<Request, Response = Response<Body>, Error = Infallible, Future: Send>
+ Clone
+ Send
+ Sync
+ 'static {
    service_fn(move |request: Request| {
        let clock = Arc::clone(&clock);
        async move {
            let respond = async |request| respond(&request).into();
            Ok(serving::answer(env!("CARGO_PKG_NAME"), clock.as_ref(), request, respond).await)
        }
    })
}

fn respond(request: &Request) -> Response<Body> {
    let path = match request.raw_http_path() {
        "/docs/" => "/docs",
        path => path,
    };
    let Some(file) = File::find(path) else {
        return plain(StatusCode::NOT_FOUND, "Not found\n");
    };
    serving::record_route(file.route);
    if ![Method::GET, Method::HEAD].contains(request.method()) {
        let mut response = plain(StatusCode::METHOD_NOT_ALLOWED, "Method not allowed\n");
        response
            .headers_mut()
            .insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
        return response;
    }
    let mut response = Response::new(Body::Empty);
    headers::add_file(response.headers_mut(), file);
    if has_copy(request.headers(), file.tag) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        return response;
    }
    let is_packed = accepts_gzip(request.headers());
    if is_packed {
        let gzip = HeaderValue::from_static("gzip");
        response.headers_mut().insert(CONTENT_ENCODING, gzip);
    }
    if request.method() == Method::GET {
        let content = if is_packed {
            Ok(file.packed.to_vec())
        } else {
            file.unpacked()
        };
        match content {
            Ok(content) => *response.body_mut() = Body::Binary(content),
            Err(_) => return plain(StatusCode::INTERNAL_SERVER_ERROR, "The file is damaged\n"),
        }
    }
    response
}

fn plain(status: StatusCode, text: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    headers::add_plain(response.headers_mut());
    response
}
