//! Prints how often comparisons find a change that is not there, find one that is, and have intervals that contain the truth.
//!
//! ```sh
//! cargo run --release -p comparing              # nothing changes
//! cargo run --release -p comparing -- --change 20
//! ```
#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, reason = "the command prints its figures")]

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
    let worlds = options.worlds();
    println!("{} tries per case, seeds from {} on", options.tries, options.seed);
    println!("{}", table::header());
    let figures = Mutex::new(vec![None; worlds.len()]);
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(world) = worlds.get(index) else {
                return;
            };
            let found = Figures::of(world, options.tries, options.seed + index as u64);
            let mut figures = figures.lock().unwrap_or_else(PoisonError::into_inner);
            figures[index] = Some(found);
        }
    };
    std::thread::scope(|scope| {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..processors {
            scope.spawn(work);
        }
    });
    let figures = figures.into_inner().unwrap_or_else(PoisonError::into_inner);
    let figures: Vec<Figures> = figures.into_iter().flatten().collect();
    for (world, figures) in worlds.iter().zip(&figures) {
        println!("{}", table::row(world, figures));
    }
    println!("{}", table::summary(&worlds, &figures, options.tries));
}
