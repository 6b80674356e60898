//! Many checks due at once: how long the local host takes for them and what it needs, and that each question is asked
//! and paid for once.
//!
//! ```text
//! cargo build --release -p local
//! cargo run --release -p acceptance --bin load -- [--entities N] [--workspaces N] [--prompts N] [--latency MS]
//!     [--lead SECONDS] [--host PATH]
//! ```
#![forbid(unsafe_code)]
#![expect(
    clippy::expect_used,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a benchmark that cannot go on ends, and its figures are its output"
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
use report::Figures;
use runtime::SystemClock;
use store::Tenant;
use tenants::LoadWorkspaces;

/// Brands that answers recommend.
const NAMED: usize = 20;
/// Different answers, made beforehand.
const ANSWERS: u64 = 500;
const TURN: Duration = Duration::from_millis(250);

#[tokio::main]
async fn main() -> ExitCode {
    let beside = std::env::current_exe().map(|own| own.with_file_name("local"));
    match Arguments::read(std::env::args().skip(1), beside.unwrap_or_default()) {
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
        "the entities were not there in time: give a longer --lead"
    );
    eprintln!(
        "{} entities are made, their checks are due in {left:?}",
        arguments.entities
    );
    let (made, before) = (host.peak_memory(), host.cpu());
    tokio::time::sleep(left).await;

    let entities = finished(&tenants, &provider).await;
    let (peak, cpu) = (host.peak_memory(), host.cpu() - before);
    let ends = entities
        .iter()
        .filter_map(|(_, entity)| entity.last_check.as_ref());
    let last = ends
        .map(|check| check.completed_at)
        .max()
        .expect("a check is done");
    let figures = Figures {
        wall: last.duration_since(due),
        memory: (made, peak),
        cpu,
        asked: provider.asked().into_values().collect(),
        price: tenants.price * i64::try_from(arguments.questions() / MODELS).expect("a small number"),
        recorded: tenants.recorded(&entities).await,
    };
    if figures.print(arguments) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// OpenAI as far as it is needed: an answer of 2.3 KB to everything, after `latency`.
async fn provider(latency: Duration) -> FakeOpenAi {
    let brands: Vec<String> = (0..NAMED).map(brand_name).collect();
    let answers: Vec<_> = (0..ANSWERS)
        .map(|seed| long_answer(&mut SeededRng::new(seed), &brands))
        .collect();
    FakeOpenAi::start(move |body| {
        let asked = body["input"].as_str().unwrap_or_default().bytes();
        let seed = asked.fold(7_usize, |seed, byte| {
            seed.wrapping_mul(31).wrapping_add(byte.into())
        });
        ProviderReply::from(answers[seed % answers.len()].clone()).after(latency)
    })
    .await
}

/// Waits until every check is done; the entities then.
async fn finished(tenants: &LoadWorkspaces, provider: &FakeOpenAi) -> Vec<(Tenant, Entity)> {
    let mut finished = Vec::new();
    let mut turn = 0_u32;
    for tenant in &tenants.tenants {
        let entities = loop {
            if let Some(entities) = tenants.checked(tenant).await {
                break entities;
            }
            tokio::time::sleep(TURN).await;
            turn += 1;
            if turn.is_multiple_of(40) {
                eprintln!("{} requests", provider.asked().len());
            }
        };
        finished.extend(entities.into_iter().map(|entity| (tenant.clone(), entity)));
    }
    finished
}
