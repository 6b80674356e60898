//! The filters of the analytics endpoints. A response counts if it matches every filter; it matches a filter if it
//! matches one of its values.

use api::{ApiError, QueryParameters};
use domain::entity::Entity;
use domain::error::InvalidField;
use domain::facts::{OrdinalSet, Selection};
use domain::id::PromptId;
use domain::ordinal::{ModelOrdinal, PromptOrdinal};
use domain::prompt::Prompt;
use uuid::Uuid;

/// The filters `models`, `promptIds` and `tags`, and the switch `union`. `None` means that there is no such filter. A
/// value `None` in a list is an invalid id, which matches nothing.
pub struct Filters {
    models: Option<Vec<Option<Uuid>>>,
    prompts: Option<Vec<Option<PromptId>>>,
    tags: Option<Vec<String>>,
    union: bool,
    with_prompts: bool,
}

impl Filters {
    /// Parses the filters. Invalid and unknown ids are not errors; they match nothing.
    pub fn parse(query: &QueryParameters) -> Result<Self, ApiError> {
        let union = match query.text("union")? {
            None | Some("true") => true,
            Some("false") => false,
            Some(_) => return Err(InvalidField::new("union", "must be true or false").into()),
        };
        let models = query.list("models");
        let prompts = query.list("promptIds");
        Ok(Self {
            models: models.map(|ids| ids.iter().map(|id| Uuid::try_parse(id).ok()).collect()),
            prompts: prompts.map(|ids| ids.iter().map(|id| id.parse().ok()).collect()),
            tags: query
                .list("tags")
                .map(|ids| ids.into_iter().map(str::to_owned).collect()),
            union,
            with_prompts: false,
        })
    }

    /// Restricts the filters to the entity's own responses.
    #[must_use]
    pub(crate) fn without_group(self) -> Self {
        Self { union: false, ..self }
    }

    /// Reads the prompts even if the filters do not need them.
    #[must_use]
    pub(crate) fn with_prompts(self) -> Self {
        Self {
            with_prompts: true,
            ..self
        }
    }

    /// Returns whether the responses of the other entities of the group count too.
    pub(crate) fn include_group(&self) -> bool {
        self.union
    }

    /// Returns whether [`selection`](Self::selection) or the endpoint needs the entity's prompts.
    pub(crate) fn need_prompts(&self) -> bool {
        self.tags.is_some() || self.with_prompts
    }

    /// Returns the prompts and models of an entity whose responses count. `all_prompts` are its prompts, including deleted
    /// ones. They are used only if there is a filter by tags.
    pub(crate) fn selection(&self, entity: &Entity, all_prompts: &[Prompt]) -> Selection {
        Selection {
            models: self.models(entity),
            prompts: self.prompts(entity, all_prompts),
        }
    }

    fn models(&self, entity: &Entity) -> Option<OrdinalSet<ModelOrdinal>> {
        let index = |uuid: &Uuid| entity.model_ordinals.iter().position(|known| known == uuid);
        let wanted = self.models.as_ref()?.iter().flatten();
        Some(wanted.filter_map(index).map(ModelOrdinal::from_index).collect())
    }

    fn prompts(&self, entity: &Entity, all_prompts: &[Prompt]) -> Option<OrdinalSet<PromptOrdinal>> {
        let selected: Option<OrdinalSet<PromptOrdinal>> = self.prompts.as_ref().map(|ids| {
            ids.iter()
                .flatten()
                .filter(|id| id.entity == entity.id)
                .map(|id| id.ordinal)
                .collect()
        });
        let Some(tags) = &self.tags else {
            return selected;
        };
        let tagged = tagged(all_prompts, tags)
            .filter(|ordinal| selected.as_ref().is_none_or(|s| s.contains(*ordinal)));
        Some(tagged.collect())
    }
}

/// Returns the ordinals of the prompts that have at least one of the tags.
fn tagged<'a>(all_prompts: &'a [Prompt], tags: &'a [String]) -> impl Iterator<Item = PromptOrdinal> {
    all_prompts
        .iter()
        .filter(|prompt| {
            prompt
                .tags
                .iter()
                .any(|tag| tags.iter().any(|given| given == tag.as_str()))
        })
        .map(|prompt| prompt.ordinal)
}

#[cfg(test)]
mod tests {
    use domain::prompt::PromptText;
    use domain::time::Timestamp;

    use super::*;

    #[test]
    fn a_prompt_with_one_of_the_tags_counts_also_when_it_is_paused_or_deleted() {
        let id = |letter: &str| letter.repeat(16);
        let prompt = |ordinal: u32, tags: &[&str]| Prompt {
            ordinal: ordinal.into(),
            text: PromptText::parse("prompt", "Which?").unwrap(),
            language: None,
            geolocation: None,
            created_at: Timestamp::from_millis(0),
            is_active: ordinal.is_multiple_of(2),
            is_deleted: ordinal == 3,
            tags: tags.iter().map(|tag| id(tag).parse().unwrap()).collect(),
        };
        let known = [
            prompt(1, &[]),
            prompt(2, &["a"]),
            prompt(3, &["c", "b"]),
            prompt(4, &["A"]),
        ];
        let found = |tags: &[&str]| {
            let tags: Vec<String> = tags.iter().map(|tag| id(tag)).collect();
            tagged(&known, &tags).map(PromptOrdinal::get).collect::<Vec<_>>()
        };
        assert_eq!(found(&["a"]), [2]);
        assert_eq!(found(&["b", "a"]), [2, 3]);
        assert_eq!(found(&["x", "A", "x"]), [4]);
        assert_eq!(found(&["x"]), [0; 0]);
    }
}
