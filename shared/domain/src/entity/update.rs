//! Updates of an entity by clients, and their effect on its schedule.

use uuid::Uuid;

use super::Entity;
use crate::brand::fold_name;
use crate::catalogue::Catalogue;
use crate::error::InvalidField;
use crate::locale::{Geolocation, Language};
use crate::target::{Target, TargetType};
use crate::time::Timestamp;

/// A validated update of an entity. Fields that are `None` remain unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EntityUpdate {
    pub target: Option<Target>,
    pub description: Option<String>,
    pub language: Option<Language>,
    pub geolocation: Option<Geolocation>,
    /// The distinct models, at least one.
    pub models: Option<Vec<Uuid>>,
    /// The distinct aliases. An alias that equals the entity's name is left out.
    pub aliases: Option<Vec<String>>,
    pub is_active: Option<bool>,
    /// The hours between checks, 1 to 720.
    pub frequency_hours: Option<u32>,
}

impl Entity {
    /// Returns the entity after an update at `now`.
    ///
    /// Fails if the target has another registrable domain or the entity is an individual without a domain,
    /// whose target cannot change.
    pub fn with_update(
        &self,
        update: &EntityUpdate,
        catalogue: &Catalogue,
        now: Timestamp,
    ) -> Result<Self, InvalidField> {
        let mut updated = self.clone();
        if let Some(target) = &update.target {
            updated.retarget(target)?;
        }
        set(&mut updated.description, update.description.as_ref());
        set(&mut updated.language, update.language.as_ref());
        set(&mut updated.geolocation, update.geolocation.as_ref());
        if let Some(aliases) = &update.aliases {
            let name = fold_name(&updated.name);
            let others = aliases.iter().filter(|alias| fold_name(alias) != name);
            updated.aliases = others.cloned().collect();
        }
        if let Some(hours) = update.frequency_hours {
            updated.set_frequency(hours, now);
        }
        if let Some(models) = &update.models {
            (updated.model_ordinals, _) = updated.assign_model_ordinals(models);
            updated.models.clone_from(models);
            if updated.has_available_model(catalogue) && !self.has_available_model(catalogue) {
                updated.make_due(now);
            }
        }
        match update.is_active {
            Some(true) if !updated.is_active => {
                updated.is_active = true;
                updated.make_due(now);
            }
            // A running check continues.
            Some(false) => (updated.is_active, updated.next_check_at) = (false, None),
            _ => {}
        }
        Ok(updated)
    }

    /// Returns whether the catalogue contains at least one of the entity's models.
    pub fn has_available_model(&self, catalogue: &Catalogue) -> bool {
        self.models.iter().any(|uuid| catalogue.get(*uuid).is_some())
    }

    fn retarget(&mut self, target: &Target) -> Result<(), InvalidField> {
        let rule = match &self.domain {
            None => "cannot change: of an individual without a domain it is the name".to_owned(),
            Some(domain) if target.registrable() != Some(domain) => format!("must stay within {domain}"),
            Some(_) => {
                let is_individual = self.target_type == TargetType::Individual;
                let target = target.clone();
                self.set_target(&if is_individual {
                    target.into_individual()
                } else {
                    target
                });
                return Ok(());
            }
        };
        Err(InvalidField::new("target", rule))
    }

    pub(super) fn set_target(&mut self, target: &Target) {
        target.as_str().clone_into(&mut self.target);
        self.target_type = target.target_type();
        self.favicon_url = target.favicon_url();
    }

    /// Changes the time between checks. A future slot moves to the new interval after the last slot, but not
    /// before `now`.
    fn set_frequency(&mut self, hours: u32, now: Timestamp) {
        let old_interval = self.check_interval();
        self.frequency_hours = hours;
        let new_interval = self.check_interval();
        if let Some(slot) = self.next_check_at.as_mut().filter(|slot| **slot > now) {
            *slot = (*slot - old_interval + new_interval).max(now);
        }
    }
}

fn set<T: Clone>(field: &mut T, value: Option<&T>) {
    if let Some(value) = value {
        field.clone_from(value);
    }
}
