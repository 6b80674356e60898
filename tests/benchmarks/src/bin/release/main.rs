//! Measures how fast the built functions start and respond. Verifies that they handle the events in
//! `infra/events`.
//!
//! ```text
//! RELEASE_FUNCTIONS=target/lambda RELEASE_RIE=aws-lambda-rie cargo run -p benchmarks --bin release \
//!     [-- --serve]
//! ```
//!
//! With `--serve`, it measures nothing and runs the local host with these functions until it is interrupted.
#![forbid(unsafe_code)]
#![expect(
    clippy::expect_used,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a measurement that cannot continue ends, and its figures are its output"
)]

mod events;
mod relay;
mod report;
mod runtime_api;
mod serve;
mod start;

use std::process::ExitCode;

use acceptance::release::Release;
use local::{HostBuilder, Options};
use relay::Tls;

#[tokio::main]
async fn main() -> ExitCode {
    let Some(release) = Release::from_lookup(runtime::environment_variable) else {
        eprintln!(
            "RELEASE_FUNCTIONS and RELEASE_RIE must be the paths of the built functions and of aws-lambda-rie"
        );
        return ExitCode::from(2);
    };
    let _ = rustls::crypto::ring::default_provider().install_default();
    if std::env::args().any(|argument| argument == "--serve") {
        serve::serve(release).await;
        return ExitCode::SUCCESS;
    }
    // The demo's data gives the functions something to respond with.
    let options = Options {
        empty: false,
        ..Options::default()
    };
    let host = HostBuilder::new(options)
        .progress(|step| eprintln!("{step}"))
        .start()
        .await
        .expect("the host starts");
    let folder = tempfile::tempdir().expect("a folder");
    let environment = start::FunctionEnvironment::new(&host, Tls::new(folder.path())).await;

    let mut failed = 0;
    report::print_heading();
    for (function, event) in events::requests(&environment).await {
        let plain = start::measure(&release, function, &environment, false, &event).await;
        let tls = start::measure(&release, function, &environment, true, &event).await;
        failed += report::print_row(&release, function, &plain, &tls);
    }
    println!();
    failed += events::invoke_samples(&release, &environment).await;
    host.stop().await;
    println!("{failed} failed");
    if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
