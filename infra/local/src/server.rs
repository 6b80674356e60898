//! An HTTP server that stops gracefully and closes connections that send nothing.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::pin::pin;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::serve::Listener;
use futures::StreamExt;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;

/// The time that open connections have to end when the server stops.
const GRACE: Duration = Duration::from_secs(5);
/// The time that a client has to send the head of its next request, and each further part of a body.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// Returns the URL at which this machine reaches a server that listens on `address`.
pub(crate) fn url(mut address: SocketAddr) -> String {
    match address.ip() {
        IpAddr::V4(Ipv4Addr::UNSPECIFIED) => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(Ipv6Addr::UNSPECIFIED) => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        _ => {}
    }
    format!("http://{address}")
}

/// Serves `router` until `shutdown` completes. Requests in progress then have 5 seconds to end. A connection
/// without a complete request head for 30 seconds, since it was opened or since its last response, is closed,
/// and a body of which nothing arrives for 30 seconds is broken off.
pub(crate) async fn serve<F>(listener: TcpListener, router: Router, shutdown: F) -> io::Result<()>
where
    F: Future<Output = ()> + Send + 'static,
{
    serve_within(IDLE_TIMEOUT, listener, router, shutdown).await
}

async fn serve_within<F>(
    idle_timeout: Duration,
    mut listener: TcpListener,
    router: Router,
    shutdown: F,
) -> io::Result<()>
where
    F: Future<Output = ()> + Send + 'static,
{
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(idle_timeout);
    let open = GracefulShutdown::new();
    let mut shutdown = pin!(shutdown);
    loop {
        // This `accept` tries again after an error.
        let (stream, peer) = tokio::select! {
            accepted = Listener::accept(&mut listener) => accepted,
            () = &mut shutdown => break,
        };
        let routed = TowerToHyperService::new(router.clone());
        let service = service_fn(move |request: Request<Incoming>| {
            let mut request = request.map(|body| within(idle_timeout, body));
            request.extensions_mut().insert(ConnectInfo(peer));
            routed.call(request)
        });
        let connection = open.watch(http.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended early");
            }
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(GRACE, open.shutdown()).await;
    Ok(())
}

/// Returns a body that fails if its next part does not arrive in time.
fn within(timeout: Duration, body: Incoming) -> Body {
    let parts = Box::pin(Body::new(body).into_data_stream());
    Body::from_stream(futures::stream::unfold(Some(parts), move |parts| async move {
        let mut parts = parts?;
        match tokio::time::timeout(timeout, parts.next()).await {
            Ok(part) => part.map(|part| (part, Some(parts))),
            Err(elapsed) => Some((Err(axum::Error::new(elapsed)), None)),
        }
    }))
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use axum::routing::{get, post};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;

    use super::*;

    const SHORT: Duration = Duration::from_millis(300);
    const LONG: Duration = Duration::from_secs(20);

    #[test]
    fn this_machine_reaches_what_listens_on_every_address_by_loopback() {
        for (address, expected) in [
            ("0.0.0.0:9401", "http://127.0.0.1:9401"),
            ("[::]:9401", "http://[::1]:9401"),
            ("127.0.0.1:9401", "http://127.0.0.1:9401"),
            ("172.17.0.1:9401", "http://172.17.0.1:9401"),
            ("[fd00::1]:9401", "http://[fd00::1]:9401"),
        ] {
            assert_eq!(url(address.parse().unwrap()), expected);
        }
    }

    /// Sends `bytes` to a server with a short time limit. Returns what the server sent until it closed the
    /// connection, and after what time it did.
    async fn until_closed(bytes: &[u8]) -> (String, Duration) {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new()
            .route("/", get(|| std::future::ready("hello")))
            .route("/echo", post(|body: String| std::future::ready(body)));
        tokio::spawn(serve_within(SHORT, listener, router, std::future::pending()));
        let start = Instant::now();
        let mut client = TcpStream::connect(address).await.unwrap();
        client.write_all(bytes).await.unwrap();
        let mut received = Vec::new();
        let closed = tokio::time::timeout(LONG, client.read_to_end(&mut received)).await;
        closed.expect("the server closes the connection").unwrap();
        (String::from_utf8(received).unwrap(), start.elapsed())
    }

    #[tokio::test]
    async fn a_connection_without_a_complete_request_is_closed_when_the_time_is_over() {
        assert_eq!(IDLE_TIMEOUT, Duration::from_secs(30));
        for half in [
            "",
            "G",
            "GET / HTTP/1.1\r\nHost: a\r\n",
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf",
            "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
        ] {
            let (received, time) = until_closed(half.as_bytes()).await;
            assert!(!received.contains("200 OK"), "{received}");
            assert!(time >= SHORT, "{time:?} after {half:?}");
        }
    }

    #[tokio::test]
    async fn a_connection_may_be_idle_for_that_time_after_a_response() {
        let (received, time) = until_closed(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n").await;
        assert!(received.ends_with("hello"), "{received}");
        assert!(time >= SHORT, "{time:?}");
    }
}
