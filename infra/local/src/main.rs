//! `cargo run`: the whole service on this machine.
#![forbid(unsafe_code)]

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use local::{Host, Options};
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::EnvFilter;

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
    let filter = EnvFilter::try_new(runtime::variable("RUST_LOG").as_deref().unwrap_or(QUIET));
    tracing_subscriber::fmt()
        .with_env_filter(filter.unwrap_or_else(|_| EnvFilter::new(QUIET)))
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr)
        .init();
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
        elsewhere: None,
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
