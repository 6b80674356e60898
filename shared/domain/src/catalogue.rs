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
    /// The models of providers that are not configured, whose answers may be recorded.
    unavailable: Vec<Model>,
}

impl Catalogue {
    /// The rule that the uuid of an unknown model breaks.
    pub const MODEL_RULE: &'static str = "must be the uuid of a model from GET /models";

    /// Parses a JSON array of models. Their ids must be distinct.
    pub fn from_json(json: &str) -> Result<Self, CatalogueError> {
        let models: Vec<Model> = serde_json::from_str(json)?;
        let mut seen = BTreeSet::new();
        if let Some(duplicate) = models.iter().find(|m| !seen.insert(m.id.as_str())) {
            return Err(CatalogueError::DuplicateId(duplicate.id.clone()));
        }
        let unavailable = Vec::new();
        Ok(Self { models, unavailable })
    }

    /// Returns the catalogue that the service is built with, `infra/models.json`.
    pub fn shipped() -> Result<Self, CatalogueError> {
        Self::from_json(include_str!("../../../infra/models.json"))
    }

    /// Returns the catalogue in which only the models of these providers can be asked.
    #[must_use]
    pub fn for_providers<'a>(self, providers: impl IntoIterator<Item = &'a str>) -> Self {
        let configured: BTreeSet<&str> = providers.into_iter().collect();
        let all = self.models.into_iter().chain(self.unavailable);
        let (models, unavailable) = all.partition(|m| configured.contains(m.provider.as_str()));
        Self { models, unavailable }
    }

    pub fn models(&self) -> &[Model] {
        &self.models
    }

    pub fn get(&self, uuid: Uuid) -> Option<&Model> {
        self.models.iter().find(|m| m.uuid() == uuid)
    }

    /// Returns whether the catalogue has the model, even if it cannot be asked.
    pub fn knows(&self, uuid: Uuid) -> bool {
        let mut all = self.models.iter().chain(&self.unavailable);
        all.any(|model| model.uuid() == uuid)
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
    fn a_model_that_cannot_be_asked_stays_known() {
        let shipped = Catalogue::shipped().unwrap();
        let uuids: Vec<Uuid> = shipped.models().iter().map(Model::uuid).collect();
        let configured = shipped.for_providers(["openai"]).for_providers(["gemini"]);
        assert!(configured.models().iter().all(|m| m.provider == "gemini"));
        assert!(uuids.iter().all(|uuid| configured.knows(*uuid)));
        assert!(uuids.iter().any(|uuid| configured.get(*uuid).is_none()));
        assert!(!configured.knows(Uuid::nil()));
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
