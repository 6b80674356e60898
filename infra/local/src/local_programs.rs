//! Keeps web pages away from what is for programs on this machine.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use http::header::{HOST, ORIGIN};
use http::uri::Authority;
use http::{HeaderMap, HeaderValue, StatusCode, Uri};

/// The names of this machine. The last two are those that Docker and Podman give it in containers; nobody can
/// register them.
const LOCAL_HOSTS: [&str; 5] = [
    "localhost",
    "127.0.0.1",
    "[::1]",
    "host.docker.internal",
    "host.containers.internal",
];

/// The header with which a browser tells whose page sends a request.
const SEC_FETCH_SITE: &str = "sec-fetch-site";

const HAS_ORIGIN: &str =
    "This is for programs on this machine. It refuses requests of web pages, which have an Origin.\n";
const FOREIGN_PAGE: &str =
    "This is for programs on this machine. It refuses requests of pages of other origins.\n";

/// The hosts by which programs on this machine reach a server.
struct OwnHosts(Vec<String>);

impl OwnHosts {
    /// Returns the names of this machine, and the address on which the server listens if it is one.
    fn of(listen: IpAddr) -> Arc<Self> {
        let mut hosts: Vec<String> = LOCAL_HOSTS.map(str::to_owned).into();
        let address = match listen {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => format!("[{address}]"),
        };
        if !listen.is_unspecified() && !hosts.contains(&address) {
            hosts.push(address);
        }
        Arc::new(Self(hosts))
    }

    /// Returns whether there is a host and every host that the request names is this machine.
    fn are_meant(&self, uri: &Uri, headers: &HeaderMap) -> bool {
        let mut named = headers.get_all(HOST).iter().map(|host| {
            let authority = Authority::try_from(host.as_bytes());
            authority.is_ok_and(|authority| self.has(&authority))
        });
        let is_own = |authority| self.has(authority);
        named.next() == Some(true) && named.all(|is_own| is_own) && uri.authority().is_none_or(is_own)
    }

    fn has(&self, authority: &Authority) -> bool {
        let is_named = |own: &String| authority.host().eq_ignore_ascii_case(own);
        !authority.as_str().contains('@') && self.0.iter().any(is_named)
    }

    fn refusal(&self) -> String {
        let hosts = self.0.join(", ");
        format!("This is for programs on this machine. The Host must be one of {hosts}.\n")
    }
}

/// Refuses requests of web pages: those that have an `Origin`, and those for the name of another machine,
/// which a page can have resolved to this one. The server listens on the address `listen`.
pub(crate) fn only_local_programs(router: Router, listen: IpAddr) -> Router {
    router.layer(from_fn_with_state(OwnHosts::of(listen), refuse_web_pages))
}

/// Refuses requests of web pages as [`only_local_programs`] does, except those of pages that this server
/// itself serves. It listens on loopback.
pub(crate) fn only_local_programs_and_own_pages(router: Router) -> Router {
    let hosts = OwnHosts::of(Ipv4Addr::LOCALHOST.into());
    router.layer(from_fn_with_state(hosts, refuse_foreign_web_pages))
}

async fn refuse_foreign_web_pages(
    State(hosts): State<Arc<OwnHosts>>,
    request: Request,
    next: Next,
) -> Response {
    if is_of_foreign_page(request.headers()) {
        return (StatusCode::FORBIDDEN, FOREIGN_PAGE).into_response();
    }
    only_for(&hosts, request, next).await
}

async fn refuse_web_pages(State(hosts): State<Arc<OwnHosts>>, request: Request, next: Next) -> Response {
    if request.headers().contains_key(ORIGIN) {
        return (StatusCode::FORBIDDEN, HAS_ORIGIN).into_response();
    }
    only_for(&hosts, request, next).await
}

async fn only_for(hosts: &OwnHosts, request: Request, next: Next) -> Response {
    if hosts.are_meant(request.uri(), request.headers()) {
        next.run(request).await
    } else {
        (StatusCode::FORBIDDEN, hosts.refusal()).into_response()
    }
}

/// Returns whether a page of another origin sent the request. A browser says so in at least one of these
/// headers, except for what the user opens.
fn is_of_foreign_page(headers: &HeaderMap) -> bool {
    let is_own = |origin: &HeaderValue| {
        let origin = origin.as_bytes().strip_prefix(b"http://");
        origin.is_some() && origin == headers.get(HOST).map(HeaderValue::as_bytes)
    };
    let is_own_site = |site: &HeaderValue| site == "same-origin" || site == "none";
    !headers.get_all(ORIGIN).iter().all(is_own) || !headers.get_all(SEC_FETCH_SITE).iter().all(is_own_site)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_refusal_names_every_host_that_is_taken_the_address_of_the_server_among_them() {
        for (listen, own) in [
            ("127.0.0.1", None),
            ("::1", None),
            ("0.0.0.0", None),
            ("::", None),
            ("172.17.0.1", Some("172.17.0.1")),
            ("fd00::1", Some("[fd00::1]")),
        ] {
            let hosts = OwnHosts::of(listen.parse().unwrap());
            let expected: Vec<&str> = LOCAL_HOSTS.into_iter().chain(own).collect();
            assert_eq!(hosts.0, expected);
            let refusal = hosts.refusal();
            for host in expected {
                assert!(refusal.contains(host), "{host}: {refusal}");
                let headers = HeaderMap::from_iter([(HOST, HeaderValue::from_static(host))]);
                assert!(hosts.are_meant(&Uri::from_static("/"), &headers), "{host}");
            }
            for foreign in ["0.0.0.0", "[::]", "172.17.0.2", "evil.example"] {
                let headers = HeaderMap::from_iter([(HOST, HeaderValue::from_static(foreign))]);
                assert!(!hosts.are_meant(&Uri::from_static("/"), &headers), "{foreign}");
            }
        }
    }
}
