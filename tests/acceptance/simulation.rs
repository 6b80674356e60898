//! Simulations of checks under faults. Each run executes a schedule that follows from one seed, and then
//! asserts the invariants of checks.
//!
//! The checker, the store and the AWS SDK are the real ones, on the embedded DynamoDB; the bus, the queue,
//! the providers and the time are simulated, so that hours take milliseconds. A failure prints its seed:
//!
//! ```sh
//! SIMULATION_SEED=17 cargo test -p acceptance --test acceptance simulation             # that run alone
//! SIMULATION_RUNS=10000 cargo test -p acceptance --test acceptance simulation          # more runs
//! SIMULATION_SEED=17 SIMULATION_RUNS=50 cargo test …                                   # seeds 17 to 66
//! ```
//!
//! The seed decides every choice of the schedule. Ids, lease tokens and the jitter of delays are random in
//! each run.
#![expect(clippy::unwrap_used, reason = "an operation that fails ends the run")]

mod audit;
mod backend;
mod clients;
mod clock;
mod fleet;
mod ledger;
mod network;
mod process;
mod provider;
mod queue;
mod run;
mod schedule;
mod shared;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use self::backend::Backend;
use self::run::Run;
use self::shared::{Shared, Trace};

/// The number of runs if `SIMULATION_RUNS` is not set.
const RUNS: u64 = 50;
/// The maximum number of history lines that a failure shows.
const MAX_SHOWN_LINES: usize = 120;

#[test]
fn checks_end_correctly_whatever_fails() {
    let seed = setting("SIMULATION_SEED");
    let runs = setting("SIMULATION_RUNS").unwrap_or(if seed.is_some() { 1 } else { RUNS });
    let first = seed.unwrap_or_else(|| uuid::Uuid::new_v4().as_u64_pair().0);
    let started = AtomicU64::new(0);
    let work = || -> Result<(), String> {
        loop {
            let n = started.fetch_add(1, Ordering::Relaxed);
            if n >= runs {
                return Ok(());
            }
            if let Err(failure) = run(first.wrapping_add(n)) {
                started.store(runs, Ordering::Relaxed);
                return Err(failure);
            }
        }
    };
    let failures: Vec<String> = std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .filter_map(|thread| thread.join().unwrap().err())
            .collect()
    });
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// Executes one run. If it fails, returns its history.
fn run(seed: u64) -> Result<(), String> {
    let trace = Trace::default();
    let result = catch_unwind(AssertUnwindSafe(|| {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        runtime.block_on(async {
            let mut run = Run::start(Arc::new(Shared::new(seed, Backend::new(), trace.clone()))).await;
            run.execute_schedule().await;
            run.finish_without_faults().await;
            run.audit().await;
        });
    }));
    result.map_err(|panic| {
        let lines = trace.lock().unwrap();
        let shown = lines[lines.len().saturating_sub(MAX_SHOWN_LINES)..].join("\n");
        let message = panic
            .downcast_ref::<String>()
            .map_or("a failed assertion", String::as_str);
        format!("{shown}\n{message}\nSIMULATION_SEED={seed}")
    })
}

#[expect(
    clippy::disallowed_methods,
    reason = "the environment sets the number of runs"
)]
fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|value| value.parse().unwrap())
}
