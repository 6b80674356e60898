//! The acceptance tests' world: the whole service in this process, over real HTTP, with a provider that says
//! what a test wants.
#![forbid(unsafe_code)]
#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test's world that cannot be made fails the test"
)]

mod answer;
mod between;
mod board;
mod client;
mod dice;
mod event;
mod faults;
mod interface;
mod items;
mod long_answer;
mod mode;
mod openai;
pub mod release;
mod standstill;
mod wire;
mod world;

pub use answer::Answer;
pub use between::Between;
pub use board::{cause, causes, found, judged, large};
pub use dice::Dice;
pub use event::api_event;
pub use faults::{Call, Fault, Faults, depth};
pub use interface::Interface;
pub use items::{Item, items};
pub use long_answer::{brand_name, long_answer};
pub use openai::{OpenAi, Reply, answer};
pub use standstill::Standstill;
pub use wire::{Bare, raw};
pub use world::{Account, World};
