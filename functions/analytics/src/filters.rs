//! The filters that every analytics endpoint takes. They combine with AND; within one the values are OR.

use api::Query;
use domain::entity::Entity;
use domain::facts::Ordinals;
use domain::id::PromptId;
use uuid::Uuid;

/// `models` and `promptIds` as they were given; `None` where there is no filter.
pub(crate) struct Filters {
    models: Option<Vec<Option<Uuid>>>,
    prompts: Option<Vec<Option<PromptId>>>,
}

impl Filters {
    /// Ids that match nothing, in any form, match nothing.
    pub(crate) fn read(query: &Query) -> Self {
        let models = query.list("models");
        let prompts = query.list("promptIds");
        Self {
            models: models.map(|ids| ids.iter().map(|id| Uuid::try_parse(id).ok()).collect()),
            prompts: prompts.map(|ids| ids.iter().map(|id| id.parse().ok()).collect()),
        }
    }

    /// The model ordinals to count.
    pub(crate) fn models(&self, entity: &Entity) -> Option<Ordinals> {
        let place = |uuid: &Uuid| entity.model_ordinals.iter().position(|known| known == uuid);
        let wanted = self.models.as_ref()?.iter().flatten();
        Some(
            wanted
                .filter_map(place)
                .filter_map(|p| u32::try_from(p).ok())
                .collect(),
        )
    }

    /// The prompt ordinals to count.
    pub(crate) fn prompts(&self, entity: &Entity) -> Option<Ordinals> {
        let wanted = self.prompts.as_ref()?.iter().flatten();
        Some(
            wanted
                .filter(|id| id.entity == entity.id)
                .map(|id| id.ordinal)
                .collect(),
        )
    }
}
