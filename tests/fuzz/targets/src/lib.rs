//! Fuzz targets for all code that reads external input. Each target is a function that takes arbitrary bytes
//! and panics if a property does not hold. `tests/fuzz/run` runs them with libFuzzer.
#![forbid(unsafe_code)]
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a target says by panicking that a property does not hold"
)]

mod api_event;
mod body;
mod check_event;
mod index;
mod mention;
mod provider;
mod samples;
mod segment;
mod table;
mod told;
mod world;

/// A fuzz target with its name, its function, and seeds that reach deep into the tested code.
pub struct Target {
    pub name: &'static str,
    pub run: fn(&[u8]),
    pub seeds: fn() -> Vec<Vec<u8>>,
}

macro_rules! targets {
    ($($name:ident),* $(,)?) => {
        &[$(Target { name: stringify!($name), run: $name::run, seeds: $name::seeds }),*]
    };
}

/// All targets. Each target is in the file of its name.
pub const TARGETS: &[Target] = targets![api_event, body, check_event, index, mention, provider, segment,];

/// Runs the target with this name.
pub fn run(name: &str, data: &[u8]) {
    let target = TARGETS.iter().find(|target| target.name == name);
    (target.expect("a target of that name").run)(data);
}
