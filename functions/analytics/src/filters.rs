//! The filters of the analytics endpoints. A response counts if it matches every filter; it matches a filter
//! if it matches one of its values.

use api::{ApiError, QueryParameters};
use domain::catalogue::Catalogue;
use domain::entity::Entity;
use domain::error::InvalidField;
use domain::id::PromptId;
use domain::ordinal::{ModelOrdinal, PromptOrdinal};
use domain::ordinal_set::OrdinalSet;
use domain::prompt::Prompt;
use facts::Selection;
use uuid::Uuid;

/// The filters `models`, `promptIds` and `tags`, and the switch `union`. `None` means that there is no such
/// filter. A value `None` in a list is an invalid id, which matches nothing.
pub struct Filters {
    models: Option<Vec<Uuid>>,
    prompts: Option<Vec<Option<PromptId>>>,
    tags: Option<Vec<String>>,
    union: bool,
    with_prompts: bool,
}

impl Filters {
    /// Parses the filters. Invalid and unknown ids of prompts and tags are not errors; they match nothing. A
    /// model that is no UUID is an error, and [`check_models`](Self::check_models) refuses an unknown one.
    pub fn parse(query: &QueryParameters) -> Result<Self, ApiError> {
        let union = match query.text("union")? {
            None | Some("true") => true,
            Some("false") => false,
            Some(_) => return Err(InvalidField::new("union", "must be true or false").into()),
        };
        let models = query
            .list("models")
            .map(|texts| parse_models(&texts))
            .transpose()?;
        let prompts = query.list("promptIds");
        Ok(Self {
            models,
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

    /// Returns the prompts and models of an entity whose responses count. `all_prompts` are its prompts,
    /// including deleted ones. They are used only if there is a filter by tags.
    pub(crate) fn selection(&self, entity: &Entity, all_prompts: &[Prompt]) -> Selection {
        Selection {
            models: self.models(entity),
            prompts: self.prompts(entity, all_prompts),
        }
    }

    /// Returns the error of a model that neither the catalogue has nor one of the entities ever had. A model
    /// that left the catalogue keeps its place in these entities, so that its answers can be selected.
    pub(crate) fn check_models(
        &self,
        catalogue: &Catalogue,
        entities: &[&Entity],
    ) -> Result<(), InvalidField> {
        let is_recorded = |uuid: &Uuid| {
            let mut all = entities.iter().flat_map(|entity| &entity.model_ordinals);
            all.any(|recorded| recorded == uuid)
        };
        let given = self.models.iter().flatten().enumerate();
        for (index, uuid) in given {
            if !catalogue.knows(*uuid) && !is_recorded(uuid) {
                return Err(unknown_model(index, &format!(": {uuid} is unknown")));
            }
        }
        Ok(())
    }

    fn models(&self, entity: &Entity) -> Option<OrdinalSet<ModelOrdinal>> {
        let index = |uuid: &Uuid| entity.model_ordinals.iter().position(|known| known == uuid);
        let wanted = self.models.as_ref()?.iter();
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

fn parse_models(texts: &[&str]) -> Result<Vec<Uuid>, InvalidField> {
    let uuids = texts.iter().enumerate().map(|(index, text)| {
        let uuid = Uuid::try_parse(text);
        uuid.map_err(|_| unknown_model(index, ""))
    });
    uuids.collect()
}

/// Returns the error of the value at `index`. `more` tells what it is, if it is a UUID: no other text is
/// repeated.
fn unknown_model(index: usize, more: &str) -> InvalidField {
    let rule = format!("{}{more}", Catalogue::MODEL_RULE);
    InvalidField::new(format!("models[{index}]"), rule)
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
