//! The HTTP API as an OpenAPI 3.1 document.
//!
//! The document is generated from the service's own route tables, which list parameters and request bodies,
//! from its limits, and from the types that the functions serialize. Operations, links and examples are
//! written here. `cargo run -p openapi` writes the document to `infra/openapi.json`.
#![forbid(unsafe_code)]

mod actions;
mod analytics;
mod components;
mod document;
mod domain_groups;
pub mod endpoints;
mod entities;
mod errors;
mod examples;
mod messages;
mod operation;
mod parameters;
mod prompts;
mod request_schemas;
mod response_schemas;
mod tags;
#[cfg(test)]
mod tests;
mod webhooks;
mod workspace;

pub use document::document;

/// The path of the document's file.
pub const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../openapi.json");

/// Returns the text of the document's file.
pub fn printed() -> String {
    format!("{:#}\n", document())
}
