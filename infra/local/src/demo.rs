//! The demo provider: an HTTP server on loopback that speaks every vendor's wire format, for a developer without any key. Its
//! answers are made up but plausible and always the same for the same model, input and day, so that the service's own
//! provider code runs unchanged against it. Everything it says is in English and every site it names ends in `.example`.
//! A model whose name ends as [`fault::Fault`] says fails in that way.

mod answer;
mod composed;
mod dice;
mod fault;
mod market;
mod markets;
mod prompts;
mod server;
#[cfg(test)]
mod tests;
mod wire;
mod workspace;

use domain::catalogue::{BadCatalogue, Catalogue};

pub use server::serve;
pub use workspace::{DemoEntity, ENTITIES};

/// The demo models. They are asked through the provider `openai`.
pub fn catalogue() -> Result<Catalogue, BadCatalogue> {
    Catalogue::from_json(include_str!("catalogue.json"))
}
