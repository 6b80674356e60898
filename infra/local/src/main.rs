//! `cargo run`: the whole service on this machine.
#![forbid(unsafe_code)]

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use local::{Host, Options};
use runtime::Settings;
use tokio::signal::unix::{SignalKind, signal};

/// The Visibility Tracking Service in one process: API, table, bus, schedule, checker, and a demo provider
/// where no other is configured.
#[derive(Parser)]
struct Arguments {
    /// Port of the API on 127.0.0.1; 0 takes any free one
    #[arg(long, default_value_t = 9400)]
    port: u16,
    /// Keep the data in this directory (default: in memory)
    #[arg(long)]
    data: Option<PathBuf>,
    /// No demo workspace
    #[arg(long)]
    empty: bool,
    /// Real seconds between ticks
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    tick: u64,
    /// Seconds of service time per real second
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    time_scale: u32,
}

/// Refused conditions are answers that the service expects; the embedded database would warn of each.
const QUIET: &str = "warn,dynoxide=error";

#[tokio::main]
async fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let level = runtime::variable("RUST_LOG").unwrap_or_else(|| QUIET.to_owned());
    let metrics = runtime::variable(Settings::METRICS_NAMESPACE);
    // Stdout has the line that says it is ready, and no other.
    runtime::write_logs(Some(&level), metrics.as_deref(), runtime::stderr);
    match run(arguments).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(&format!("error: {error}"));
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: Arguments) -> Result<(), Box<dyn std::error::Error>> {
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    let options = Options {
        port: arguments.port,
        data: arguments.data,
        empty: arguments.empty,
        tick: Duration::from_secs(arguments.tick),
        time_scale: arguments.time_scale,
        external_functions: None,
    };
    let start = Host::start(options, runtime::variable, say);
    let host = tokio::select! {
        host = start => host?,
        _ = interrupt.recv() => return Ok(()),
        _ = terminate.recv() => return Ok(()),
    };
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", serde_json::to_string(&host.ready)?)?;
    out.flush()?;
    drop(out);
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    say("stopping");
    host.stop().await;
    Ok(())
}

fn say(text: &str) {
    // A closed stderr must not stop the service.
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}
