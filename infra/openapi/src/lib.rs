//! The interface as an OpenAPI 3.1 document, made from the route tables, the limits and the enums that the service
//! itself works with. `cargo run -p openapi` writes it to `infra/openapi.json`.
#![forbid(unsafe_code)]

mod actions;
mod analytics;
mod citations;
mod creation;
mod document;
mod entities;
mod errors;
mod evidence;
mod examples;
mod fanouts;
mod groups;
mod locale;
mod naming;
mod operation;
mod parameters;
mod prompts;
mod response_schemas;
mod responses;
mod schema;
mod tags;
#[cfg(test)]
mod tests;
mod tracking;
mod trends;
mod updating;
mod workspace;

pub use document::document;

/// Where the document is kept, beside this crate.
pub const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../openapi.json");

/// The document as its file holds it.
pub fn printed() -> String {
    format!("{:#}\n", document())
}
