//! The catalogue of models, which the operator configures.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The UUIDv5 namespace of models. The name in it is the model's `id`.
const MODELS: Uuid = Uuid::from_u128(0x8f0c_7a53_6a0e_5b6e_9c55_21b0_7d0a_41c7);

/// A model that can be asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Model {
    /// The slug, which is unique in the catalogue.
    pub id: String,
    pub provider: String,
    /// The provider's name of the model.
    pub model: String,
    pub name: String,
    pub description: String,
    /// The price of an answer in credits.
    pub credits: u32,
}

impl Model {
    pub fn uuid(&self) -> Uuid {
        Uuid::new_v5(&MODELS, self.id.as_bytes())
    }
}

/// The reason why a catalogue is invalid, for the operator.
#[derive(Debug, thiserror::Error)]
pub enum CatalogueError {
    #[error("the model catalogue is not readable: {0}")]
    Json(#[from] serde_json::Error),
    #[error("the model catalogue has two models with the id {0}")]
    DuplicateId(String),
}

/// The models that can be asked, in the order of the configuration.
#[derive(Debug, Clone, Default)]
pub struct Catalogue {
    models: Vec<Model>,
}

impl Catalogue {
    /// Parses a JSON array of models. Their ids must be distinct.
    pub fn from_json(json: &str) -> Result<Self, CatalogueError> {
        let models: Vec<Model> = serde_json::from_str(json)?;
        let mut seen = BTreeSet::new();
        if let Some(duplicate) = models.iter().find(|m| !seen.insert(m.id.as_str())) {
            return Err(CatalogueError::DuplicateId(duplicate.id.clone()));
        }
        Ok(Self { models })
    }

    /// Returns the catalogue that the service is built with, `infra/models.json`.
    pub fn shipped() -> Result<Self, CatalogueError> {
        Self::from_json(include_str!("../../../infra/models.json"))
    }

    /// Returns the catalogue with only the models of these providers.
    #[must_use]
    pub fn for_providers<'a>(self, providers: impl IntoIterator<Item = &'a str>) -> Self {
        let configured: BTreeSet<&str> = providers.into_iter().collect();
        Self {
            models: self
                .models
                .into_iter()
                .filter(|m| configured.contains(m.provider.as_str()))
                .collect(),
        }
    }

    pub fn models(&self) -> &[Model] {
        &self.models
    }

    pub fn get(&self, uuid: Uuid) -> Option<&Model> {
        self.models.iter().find(|m| m.uuid() == uuid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_catalogue_is_readable_and_names_known_providers() {
        let catalogue = Catalogue::shipped().unwrap();
        assert!(!catalogue.models().is_empty());
        for model in catalogue.models() {
            let known = ["openai", "anthropic", "gemini", "perplexity", "xai", "mistral"];
            assert!(known.contains(&model.provider.as_str()), "{}", model.provider);
            assert!(model.credits > 0);
        }
    }

    #[test]
    fn only_models_of_configured_providers_are_listed() {
        let catalogue = Catalogue::shipped().unwrap().for_providers(["openai"]);
        assert!(catalogue.models().iter().all(|m| m.provider == "openai"));
        assert!(
            Catalogue::shipped()
                .unwrap()
                .for_providers([])
                .models()
                .is_empty()
        );
    }

    #[test]
    fn the_uuid_of_a_model_depends_only_on_its_id() {
        let a = Model {
            id: "a".into(),
            provider: "openai".into(),
            model: "x".into(),
            name: String::new(),
            description: String::new(),
            credits: 1,
        };
        let b = Model {
            model: "y".into(),
            ..a.clone()
        };
        assert_eq!(a.uuid(), b.uuid());
    }
}
