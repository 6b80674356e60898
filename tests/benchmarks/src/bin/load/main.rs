//! Measures the time, CPU time and memory that the local host needs for many checks that are due at once.
//! Verifies that each question is asked and paid for once.
//!
//! ```text
//! cargo build --release -p local
//! cargo run --release -p benchmarks --bin load -- [--entities N] [--workspaces N] [--prompts N]
//!     [--latency MS]
//!     [--lead SECONDS] [--host PATH]
//! ```
#![forbid(unsafe_code)]
#![expect(
    clippy::expect_used,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a benchmark that cannot continue ends, and its figures are its output"
)]

mod arguments;
mod host;
mod report;
mod tenants;

use std::process::ExitCode;
use std::time::Duration;

use acceptance::{FakeOpenAi, ProviderReply, SeededRng, brand_name, long_answer};
use arguments::{Arguments, MODELS};
use domain::clock::Clock;
use domain::entity::Entity;
use host::Host;
use report::{Figures, PeakMemory};
use runtime::SystemClock;
use store::Tenant;
use tenants::LoadWorkspaces;

/// The number of brands that answers recommend.
const BRANDS: usize = 20;
/// The number of different answers, which are generated beforehand.
const ANSWERS: u64 = 500;
/// The time between two polls for running checks.
const POLL_INTERVAL: Duration = Duration::from_millis(250);

#[tokio::main]
async fn main() -> ExitCode {
    let default_host = std::env::current_exe().map(|own| own.with_file_name("local"));
    match Arguments::parse(std::env::args().skip(1), default_host.unwrap_or_default()) {
        Ok(arguments) => run(&arguments).await,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

async fn run(arguments: &Arguments) -> ExitCode {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let provider = provider(arguments.latency).await;
    let host = Host::start(&arguments.host, &provider.base_url).await;
    let due = SystemClock.now() + arguments.lead;
    let tenants = LoadWorkspaces::create(&host, arguments, due).await;
    let left = due.duration_since(SystemClock.now());
    assert!(
        !left.is_zero(),
        "the entities were not created in time: use a longer --lead"
    );
    eprintln!(
        "created {} entities, whose checks are due in {left:?}",
        arguments.entities
    );
    let (memory_before, cpu_before) = (host.peak_memory(), host.cpu_time());
    tokio::time::sleep(left).await;

    let entities = wait_for_checks(&tenants, &provider).await;
    let (peak, cpu) = (host.peak_memory(), host.cpu_time() - cpu_before);
    let ends = entities
        .iter()
        .filter_map(|(_, entity)| entity.last_check.as_ref());
    let last = ends
        .map(|check| check.completed_at)
        .max()
        .expect("a check is done");
    let figures = Figures {
        wall: last.duration_since(due),
        memory: PeakMemory {
            before_checks: memory_before,
            total: peak,
        },
        cpu,
        asked: provider.asked().into_values().collect(),
        price: tenants.price * i64::try_from(arguments.questions() / MODELS).expect("a small number"),
        recorded: tenants.recorded_totals(&entities).await,
    };
    if figures.print(arguments) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Starts a fake OpenAI that returns an answer of 2.3 KB to every question, after `latency`.
async fn provider(latency: Duration) -> FakeOpenAi {
    let brands: Vec<String> = (0..BRANDS).map(brand_name).collect();
    let answers: Vec<_> = (0..ANSWERS)
        .map(|seed| long_answer(&mut SeededRng::new(seed), &brands))
        .collect();
    FakeOpenAi::start(move |body| {
        let input = body["input"].as_str().unwrap_or_default().bytes();
        let seed = input.fold(7_usize, |seed, byte| {
            seed.wrapping_mul(31).wrapping_add(byte.into())
        });
        ProviderReply::from(answers[seed % answers.len()].clone()).after(latency)
    })
    .await
}

/// Waits until every check is complete, and returns the entities.
async fn wait_for_checks(tenants: &LoadWorkspaces, provider: &FakeOpenAi) -> Vec<(Tenant, Entity)> {
    let mut finished = Vec::new();
    let mut polls = 0_u32;
    for tenant in &tenants.tenants {
        let entities = loop {
            if let Some(entities) = tenants.entities_if_checked(tenant).await {
                break entities;
            }
            tokio::time::sleep(POLL_INTERVAL).await;
            polls += 1;
            if polls.is_multiple_of(40) {
                eprintln!("{} requests", provider.asked().len());
            }
        };
        finished.extend(entities.into_iter().map(|entity| (tenant.clone(), entity)));
    }
    finished
}
