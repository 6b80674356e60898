//! The models that can be asked, as the operator configures them.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// What model uuids are computed in: UUIDv5 of the model's `id`.
const MODELS: Uuid = Uuid::from_u128(0x8f0c_7a53_6a0e_5b6e_9c55_21b0_7d0a_41c7);

/// One model. `id` is the slug, `model` the provider's own name for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Model {
    pub id: String,
    pub provider: String,
    pub model: String,
    pub name: String,
    pub description: String,
    /// Credits that one answer costs.
    pub credits: u32,
}

impl Model {
    pub fn uuid(&self) -> Uuid {
        Uuid::new_v5(&MODELS, self.id.as_bytes())
    }
}

/// A catalogue that cannot be used; shown to the operator.
#[derive(Debug, thiserror::Error)]
pub enum BadCatalogue {
    #[error("the model catalogue is not readable: {0}")]
    Json(#[from] serde_json::Error),
    #[error("the model catalogue has two models with the id {0}")]
    Twice(String),
}

/// The models of configured providers, in the catalogue's order.
#[derive(Debug, Clone, Default)]
pub struct Catalogue {
    models: Vec<Model>,
}

impl Catalogue {
    /// Reads a JSON array of models.
    pub fn from_json(json: &str) -> Result<Self, BadCatalogue> {
        let models: Vec<Model> = serde_json::from_str(json)?;
        let mut seen = BTreeSet::new();
        if let Some(twice) = models.iter().find(|m| !seen.insert(m.id.as_str())) {
            return Err(BadCatalogue::Twice(twice.id.clone()));
        }
        Ok(Self { models })
    }

    /// The catalogue the service ships with: `infra/models.json`.
    pub fn shipped() -> Result<Self, BadCatalogue> {
        Self::from_json(include_str!("../../../infra/models.json"))
    }

    /// Only the models whose provider is among `providers`.
    #[must_use]
    pub fn of_providers<'a>(self, providers: impl IntoIterator<Item = &'a str>) -> Self {
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
        let catalogue = Catalogue::shipped().unwrap().of_providers(["openai"]);
        assert!(catalogue.models().iter().all(|m| m.provider == "openai"));
        assert!(Catalogue::shipped().unwrap().of_providers([]).models().is_empty());
    }

    #[test]
    fn a_models_uuid_follows_from_its_id_alone() {
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
