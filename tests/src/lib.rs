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

pub use answer::ApiResponse;
pub use between::HttpInterceptor;
pub use board::{candidates, cause, found, judged, large};
pub use dice::SeededRng;
pub use event::api_event;
pub use faults::{AwsCall, Fault, Faults, depth};
pub use interface::ApiContract;
pub use items::{Item, items};
pub use long_answer::{brand_name, long_answer};
pub use openai::{FakeOpenAi, ProviderReply, answer};
pub use standstill::BlockingTransport;
pub use wire::{RawResponse, send_raw};
pub use world::{Account, World};
