//! What reads bytes from outside, each as one function from any bytes to nothing: it panics where a property does not
//! hold. `cargo test` drives them with damaged samples, `tests/fuzz/run` with libFuzzer.
#![forbid(unsafe_code)]
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a target says by panicking that a property does not hold"
)]

mod api_event;
mod api_key;
mod body;
mod check_event;
mod citation_url;
mod id;
mod index;
mod locale;
mod mention;
mod provider;
mod query;
mod samples;
mod segment;
mod table;
mod target;
mod told;
mod world;

/// One target: its name, what it does with some bytes, and bytes that lead far into what it tests.
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

/// All targets, each in the file of its name.
pub const TARGETS: &[Target] = targets![
    api_event,
    api_key,
    body,
    check_event,
    citation_url,
    id,
    index,
    locale,
    mention,
    provider,
    query,
    segment,
    target,
];

/// Runs the target of that name.
pub fn run(name: &str, data: &[u8]) {
    let target = TARGETS.iter().find(|target| target.name == name);
    (target.expect("a target of that name").run)(data);
}
