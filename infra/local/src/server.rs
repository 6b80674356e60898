//! An HTTP server that stops gracefully.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use futures::FutureExt;
use tokio::net::TcpListener;

/// The time that open connections have to end when the server stops.
const GRACE: Duration = Duration::from_secs(5);

/// Serves `router` until `shutdown` completes. Requests in progress then have 5 seconds to end.
pub(crate) async fn serve<F>(listener: TcpListener, router: Router, shutdown: F) -> io::Result<()>
where
    F: Future<Output = ()> + Send + 'static,
{
    let shutdown = shutdown.shared();
    let serving = axum::serve(
        listener,
        router.into_make_service_with_connect_info::<SocketAddr>(),
    )
    .with_graceful_shutdown(shutdown.clone());
    let overdue = async {
        shutdown.await;
        tokio::time::sleep(GRACE).await;
    };
    tokio::select! {
        result = async { serving.await } => result,
        () = overdue => Ok(()),
    }
}
