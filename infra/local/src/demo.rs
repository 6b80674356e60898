//! The demo provider: an HTTP server on loopback that speaks OpenAI's Responses API, for developers without
//! an API key. Its answers are made up but plausible, and depend only on the model, the input and the day.
//! The service's own provider code runs unchanged against it. All texts are in English, and all sites end in
//! `.example`.

mod answer_generator;
mod market;
mod prompts;
mod random;
mod responses_api;
mod server;
#[cfg(test)]
mod tests;
mod workspace;

use domain::catalogue::{Catalogue, CatalogueError};

pub use server::serve;
pub use workspace::{DemoEntity, ENTITIES, RIVALS};

/// Returns the demo models. They belong to the provider `openai`.
pub fn catalogue() -> Result<Catalogue, CatalogueError> {
    Catalogue::from_json(include_str!("demo/catalogue.json"))
}
