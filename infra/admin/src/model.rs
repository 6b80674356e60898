//! Runs the command `model list`.

use clap::Subcommand;
use domain::catalogue::Catalogue;
use serde_json::{Value, json};

use crate::AdminError;
use crate::connection::Connection;

#[derive(Debug, Clone, Subcommand)]
pub enum ModelVerb {
    /// List the models; `configured` tells whether PROVIDERS names the model's provider
    List,
}

pub(crate) fn run(verb: &ModelVerb, at: &Connection<'_>) -> Result<Value, AdminError> {
    let ModelVerb::List = verb;
    let catalogue = Catalogue::shipped()?;
    let models: Vec<Value> = catalogue
        .models()
        .iter()
        .map(|model| {
            json!({
                "id": model.id,
                "uuid": model.uuid().to_string(),
                "name": model.name,
                "provider": model.provider,
                "model": model.model,
                "credits": model.credits,
                "description": model.description,
                "configured": at.settings.providers.contains(&model.provider),
            })
        })
        .collect();
    Ok(json!({ "models": models }))
}
