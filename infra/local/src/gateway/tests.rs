//! The gateway as its clients and its functions see it, over real HTTP.

mod handler;
mod requests;
mod responses;

use std::net::SocketAddr;
use std::sync::Arc;

use domain::time::Timestamp;
use futures::FutureExt;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::*;
use crate::server;
use crate::test_client::send;
use crate::testing::FixedClock;

struct Host {
    at: SocketAddr,
    stop: oneshot::Sender<()>,
    served: JoinHandle<std::io::Result<()>>,
}

async fn host(limits: Limits, routes: Vec<(&str, ApiHandler)>, fallback: ApiHandler) -> Host {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel();
    let routes = routes.into_iter().map(|(path, f)| (path.to_owned(), f)).collect();
    let clock = Arc::new(FixedClock::frozen(Timestamp::from_millis(1_587_481_701_067)));
    // A test that drops the sender wants the server to run on.
    let shutdown = async {
        if stopped.await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    let app = router(limits, at, routes, fallback, clock);
    let served = tokio::spawn(server::serve(listener, app, shutdown));
    Host { at, stop, served }
}

fn function(f: impl Fn(Value) -> Value + Send + Sync + 'static) -> ApiHandler {
    Arc::new(move |event| std::future::ready(f(event)).boxed())
}

/// Answers with the event it got.
fn echo() -> ApiHandler {
    function(|event| json!({"statusCode": 200, "body": event.to_string()}))
}

async fn echoing() -> SocketAddr {
    let routes = vec![("/v1/entities", echo())];
    host(Limits::API_GATEWAY, routes, echo()).await.at
}
