//! The service as its users meet it.
#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a helper that fails is a failed test"
)]

mod checker;
mod docs;
mod first_check;
mod store;
mod template;
