//! What clients change of an entity, and what that does to its schedule.

use uuid::Uuid;

use super::Entity;
use crate::brand::fold_name;
use crate::catalogue::Catalogue;
use crate::error::InvalidField;
use crate::locale::{Geolocation, Language};
use crate::target::{Target, TargetType};
use crate::time::Timestamp;

/// Validated changes; what is `None` stays as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EntityUpdate {
    pub target: Option<Target>,
    pub description: Option<String>,
    pub language: Option<Language>,
    pub geolocation: Option<Geolocation>,
    /// Each once, at least one.
    pub models: Option<Vec<Uuid>>,
    /// Each once. The entity's own name among them is dropped.
    pub aliases: Option<Vec<String>>,
    pub is_active: Option<bool>,
    /// 1 to 720.
    pub frequency_hours: Option<u32>,
}

impl Entity {
    /// The entity after a change at `now`. `catalogue` has the models that can be asked. A target of another
    /// registrable domain is invalid, and so is any target of an individual that has no domain.
    pub fn changed(
        &self,
        change: &EntityUpdate,
        catalogue: &Catalogue,
        now: Timestamp,
    ) -> Result<Self, InvalidField> {
        let mut new = self.clone();
        if let Some(target) = &change.target {
            new.retarget(target)?;
        }
        set(&mut new.description, change.description.as_ref());
        set(&mut new.language, change.language.as_ref());
        set(&mut new.geolocation, change.geolocation.as_ref());
        if let Some(aliases) = &change.aliases {
            let name = fold_name(&new.name);
            let others = aliases.iter().filter(|alias| fold_name(alias) != name);
            new.aliases = others.cloned().collect();
        }
        if let Some(hours) = change.frequency_hours {
            new.check_every(hours, now);
        }
        if let Some(models) = &change.models {
            (new.model_ordinals, _) = new.assign_model_ordinals(models);
            new.models.clone_from(models);
            if new.has_model_of(catalogue) && !self.has_model_of(catalogue) {
                new.make_due(now);
            }
        }
        match change.is_active {
            Some(true) if !new.is_active => {
                new.is_active = true;
                new.make_due(now);
            }
            // A running check ends as any other.
            Some(false) => (new.is_active, new.next_check_at) = (false, None),
            _ => {}
        }
        Ok(new)
    }

    /// Whether one of its models can be asked.
    pub fn has_model_of(&self, catalogue: &Catalogue) -> bool {
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
                    target.of_individual()
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

    /// The next check counts from the last slot, or is due if that lies behind. What is due stays due.
    fn check_every(&mut self, hours: u32, now: Timestamp) {
        let old = self.check_interval();
        self.frequency_hours = hours;
        let new = self.check_interval();
        if let Some(slot) = self.next_check_at.as_mut().filter(|slot| **slot > now) {
            *slot = (*slot - old + new).max(now);
        }
    }
}

fn set<T: Clone>(field: &mut T, value: Option<&T>) {
    if let Some(value) = value {
        field.clone_from(value);
    }
}
