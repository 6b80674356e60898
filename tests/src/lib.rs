//! The helpers of the acceptance tests: the complete service in one process, reached over HTTP, with a fake
//! provider whose answers a test chooses.
#![forbid(unsafe_code)]
#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test whose setup fails has failed"
)]

mod api_contract;
mod api_event;
mod api_response;
mod board_samples;
mod client;
mod fake_openai;
mod fake_secrets_manager;
mod fault_mode;
mod faults;
mod http_interceptor;
mod long_answer;
mod mcp_call;
mod raw_http;
pub mod release;
mod seeded_rng;
mod table_items;
mod world;

pub use api_contract::ApiContract;
pub use api_event::api_event;
pub use api_response::ApiResponse;
pub use board_samples::{candidate, candidates, incomplete_findings, largest_candidate, largest_outcome};
pub use fake_openai::{FakeOpenAi, ProviderReply, answer};
pub use fake_secrets_manager::{FakeSecretsManager, SecretReply};
pub use faults::{AwsCall, Fault, FaultInjector, serial_depth};
pub use http_interceptor::HttpInterceptor;
pub use long_answer::{brand_name, long_answer};
pub use mcp_call::{McpReply, ToolResult};
pub use raw_http::{RawResponse, send_raw};
pub use seeded_rng::SeededRng;
pub use table_items::{Item, delete_item, items, put_items};
pub use world::{Account, World};
