//! Runs the local host with the built functions of the API, so that clients can call them over HTTP.

use acceptance::release::Release;
use local::{HostBuilder, Options};
use tokio::signal::unix::{SignalKind, signal};

/// Runs the host with its demo data on any port until it is interrupted. Prints its ready line when it is
/// ready.
pub(crate) async fn serve(release: Release) {
    runtime::start_logging(Some("warn"), None, runtime::stderr);
    let mut terminate = signal(SignalKind::terminate()).expect("a signal handler");
    let options = Options {
        empty: false,
        ..Options::default()
    };
    let host = HostBuilder::new(options)
        .external_functions(release.external_api())
        .progress(|step| eprintln!("{step}"))
        .start()
        .await
        .expect("the host starts");
    println!("{}", serde_json::to_string(&host.ready).expect("a ready line"));
    tokio::select! {
        _ = terminate.recv() => {}
        interrupted = tokio::signal::ctrl_c() => interrupted.expect("a signal handler"),
    }
    host.stop().await;
}
