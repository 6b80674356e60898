//! Prints how often comparisons find a change that is not there, find one that is, and have intervals that
//! contain the truth.
//!
//! ```sh
//! cargo run --release -p comparing              # nothing changes
//! cargo run --release -p comparing -- --change 20
//! cargo run --release -p comparing -- --alerts  # how often `visibility.changed` is false
//! ```
#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, reason = "the command prints its figures")]

mod alerts;
mod judge;
mod table;
mod world;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use clap::Parser;

use crate::judge::Figures;
use crate::world::{Dependence, World};

/// Simulates two windows of answers many times, and counts how they are judged.
#[derive(Parser)]
struct Options {
    /// Simulates alerts for this number of years per case, instead of comparisons.
    #[arg(long, num_args = 0..=1, default_missing_value = "1000")]
    alerts: Option<u32>,
    /// How often each case is simulated.
    #[arg(long, default_value_t = 2_000)]
    tries: u32,
    /// By how many points the share grows from the first window to the second one.
    #[arg(long, default_value_t = 0.0)]
    change: f64,
    /// The seed of the first case. Each further case has the next one.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The numbers of prompts.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 3, 8, 25, 200])]
    prompts: Vec<u32>,
    /// The numbers of models.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 3, 6])]
    models: Vec<u32>,
    /// The days of each window.
    #[arg(long, value_delimiter = ',', default_values_t = [7, 30])]
    days: Vec<u32>,
    /// The percentages of answers that mention the brand in the first window.
    #[arg(long, value_delimiter = ',', default_values_t = [5.0, 30.0])]
    scores: Vec<f64>,
}

impl Options {
    /// Returns all cases.
    fn worlds(&self) -> Vec<World> {
        let mut worlds = Vec::new();
        for &prompts in &self.prompts {
            for &models in &self.models {
                for &days in &self.days {
                    for &score in &self.scores {
                        for dependence in Dependence::all(prompts) {
                            worlds.push(World {
                                prompts,
                                models,
                                days,
                                rate: score / 100.0,
                                change: self.change / 100.0,
                                dependence,
                            });
                        }
                    }
                }
            }
        }
        worlds
    }
}

fn main() {
    let options = Options::parse();
    if let Some(years) = options.alerts {
        return print_alerts(years, options.seed);
    }
    let worlds = options.worlds();
    println!("{} tries per case, seeds from {} on", options.tries, options.seed);
    println!("{}", table::header());
    let figures = in_parallel(&worlds, |index, world| {
        Figures::of(world, options.tries, options.seed + index as u64)
    });
    for (world, figures) in worlds.iter().zip(&figures) {
        println!("{}", table::row(world, figures));
    }
    println!("{}", table::summary(&worlds, &figures, options.tries));
}

/// Prints how often changes are told that are not there, and how soon those are told that are.
fn print_alerts(years: u32, seed: u64) {
    let cases = alerts::cases();
    println!("{years} years and {years} drops per case, seeds from {seed} on");
    println!("{}", alerts::header());
    let figures = in_parallel(&cases, |index, case| case.simulate(years, seed + index as u64));
    for (case, figures) in cases.iter().zip(&figures) {
        println!("{}", alerts::row(case, figures));
    }
}

/// Calls `work` with each item and its index, on all processors. Returns the results in the order of the
/// items.
fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(usize, &T) -> R + Sync) -> Vec<R> {
    let results: Mutex<Vec<Option<R>>> = Mutex::new(items.iter().map(|_| None).collect());
    let next = AtomicUsize::new(0);
    let run = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else {
                return;
            };
            let result = work(index, item);
            let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
            results[index] = Some(result);
        }
    };
    std::thread::scope(|scope| {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..processors {
            scope.spawn(run);
        }
    });
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.into_iter().flatten().collect()
}
