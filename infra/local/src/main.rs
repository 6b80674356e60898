//! The command `cargo run`, which runs the whole service on this machine.
#![forbid(unsafe_code)]

use std::io::Write;
use std::net::IpAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use domain::limits::MAX_SHARD_CONCURRENCY;
use local::{HostBuilder, Options};
use runtime::Settings;
use tokio::signal::unix::{SignalKind, signal};

/// The Visibility Tracking Service in one process: API, table, bus, schedule and checker. Uses a demo
/// provider if no other provider is configured.
#[derive(Parser)]
struct Arguments {
    /// Port of the API on 127.0.0.1; 0 means any free port
    #[arg(long, default_value_t = 9400)]
    port: u16,
    /// IP address of the ports of the database and the events, for containers that reach this machine by it
    #[arg(long, value_name = "ADDRESS", default_value_t = Options::DEFAULT_LISTEN)]
    listen: IpAddr,
    /// Keep the data in this directory (default: in memory)
    #[arg(long)]
    data: Option<PathBuf>,
    /// Start without a demo workspace
    #[arg(long)]
    empty: bool,
    /// Seconds between ticks
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    tick: u64,
    /// Shards that are worked on at a time
    #[arg(
        long,
        default_value_t = Options::DEFAULT_SHARD_CONCURRENCY,
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_SHARD_CONCURRENCY))
    )]
    shard_concurrency: u32,
}

const DEFAULT_LOG_LEVEL: &str = "warn";

#[tokio::main]
async fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let level = runtime::environment_variable("RUST_LOG").unwrap_or_else(|| DEFAULT_LOG_LEVEL.to_owned());
    let metrics = runtime::environment_variable(Settings::METRICS_NAMESPACE);
    // Stdout is for the line that reports that the host is ready.
    runtime::start_logging(Some(&level), metrics.as_deref(), runtime::stderr);
    match run(arguments).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print(&format!("error: {error}"));
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: Arguments) -> Result<(), Box<dyn std::error::Error>> {
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    let options = Options {
        port: arguments.port,
        listen: arguments.listen,
        data: arguments.data,
        empty: arguments.empty,
        tick: Duration::from_secs(arguments.tick),
        shard_concurrency: arguments.shard_concurrency,
    };
    let start = HostBuilder::new(options)
        .environment(runtime::environment_variable)
        .progress(print)
        .start();
    let host = tokio::select! {
        host = start => host?,
        _ = interrupt.recv() => return Ok(()),
        _ = terminate.recv() => return Ok(()),
    };
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", serde_json::to_string(&host.ready)?)?;
    out.flush()?;
    drop(out);
    print(&format!("The console is on {}", host.ready.console_url));
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    print("stopping");
    host.stop().await;
    Ok(())
}

fn print(text: &str) {
    // A closed stderr must not stop the service.
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}
