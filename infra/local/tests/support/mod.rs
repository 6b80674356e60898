//! The local host's process and a provider for it.

mod process;
mod provider;

pub(crate) use process::{Process, command};
pub(crate) use provider::Provider;
