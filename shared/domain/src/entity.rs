//! Entities. An entity is a workspace's tracking of one target.

mod names;
#[cfg(test)]
mod tests;
mod update;

use std::time::Duration;

use serde::{Deserialize, Serialize};
pub use update::EntityUpdate;
use uuid::Uuid;

use crate::brand;
use crate::check_key::CheckKey;
use crate::error::InvalidField;
use crate::id::EntityId;
use crate::locale::{Geolocation, Language};
use crate::ordinal::{BrandOrdinal, CheckNumber, ModelOrdinal, PromptOrdinal};
use crate::target::{Target, TargetType};
use crate::time::{Day, HOUR, Timestamp, duration_millis};

/// The kind of the tracked target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TrackingType {
    /// A website.
    Website,
    /// A person or brand that is known by name.
    Individual,
}

/// A workspace's tracking of one target, as it is stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entity {
    pub id: EntityId,
    /// The UUID of the brand. It never changes.
    pub brand: Uuid,
    /// The ordinal of the brand in the workspace, by which facts refer to it.
    pub brand_ordinal: BrandOrdinal,
    pub name: String,
    pub target: String,
    pub target_type: TargetType,
    /// The registrable domain, or `None` for an individual without a domain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub favicon_url: Option<String>,
    pub description: String,
    pub language: Language,
    pub geolocation: Geolocation,
    pub tracking_type: TrackingType,
    pub aliases: Vec<String>,
    /// The UUIDs of the models that are asked.
    pub models: Vec<Uuid>,
    /// The UUIDs of all models that were ever asked. The index of a model is its ordinal in facts and
    /// response ids.
    pub model_ordinals: Vec<Uuid>,
    pub is_active: bool,
    pub frequency_hours: u32,
    pub created_at: Timestamp,
    /// The ordinal of the last prompt, or 0 if there was none.
    pub prompt_seq: PromptOrdinal,
    /// The number of the last check, or 0 if there was none.
    pub check_seq: CheckNumber,
    /// The number of prompts that are not deleted. They count against the workspace's limit.
    pub prompts: u32,
    /// The slot of the next scheduled check, or `None` if the entity is inactive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_check_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub running: Option<RunningCheck>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_check: Option<LastCheck>,
    /// The UTC day of the last claim, and the number of checks that were claimed on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claimed_on: Option<(Day, u32)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<Problem>,
    /// The number of active recommendations on the board.
    pub active_actionables: u32,
    /// The last day of the days in which a change of the visibility was found that webhooks were told of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_alert: Option<Day>,
    /// The creation time of the last name request, which is part of that request's key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_name_request: Option<Timestamp>,
    /// The number of changes of this record, for optimistic concurrency control.
    pub revision: u32,
    /// When the entity was deleted. Only the clean-up reads a deleted entity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleted_at: Option<Timestamp>,
    /// When the erasure of a deleted entity is repeated. `None` as long as it has not come to an end once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub erase_again_at: Option<Timestamp>,
}

/// The running check of an entity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunningCheck {
    pub check: CheckNumber,
    /// The credits that the claim reserved.
    pub reserved: i64,
    /// When a tick reconciles the check next.
    pub next_reconciliation_at: Timestamp,
    /// The time from the next reconciliation to the one after it.
    #[serde(with = "duration_millis")]
    pub reconcile_after: Duration,
    /// Whether an admission has nothing to do for the check, because its open shards are deferred. It can be
    /// `false` although they are.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_idle: bool,
}

/// The last completed check of an entity. Readers derive from it which facts must exist.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LastCheck {
    pub check: CheckNumber,
    pub day: Day,
    pub completed_at: Timestamp,
}

impl LastCheck {
    /// Returns the key of the check's responses and segments.
    pub fn key(&self) -> CheckKey {
        CheckKey {
            day: self.day,
            check: self.check,
        }
    }
}

/// A reason why the checks of an entity are incomplete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// The provider, or `None` if the problem concerns no provider, as missing credits do.
    pub provider: Option<String>,
    /// The model, or `None` if the problem concerns all of the provider's models.
    pub model_id: Option<Uuid>,
    pub reason: String,
    pub since: Timestamp,
}

impl Problem {
    /// Returns the provider, the model and the reason. Problems with equal causes are merged.
    pub fn cause(&self) -> (Option<&str>, Option<Uuid>, &str) {
        (self.provider.as_deref(), self.model_id, &self.reason)
    }
}

impl Entity {
    /// Returns whether the entity is neither deleted nor has a running check.
    pub fn is_unclaimed(&self) -> bool {
        self.deleted_at.is_none() && self.running.is_none()
    }

    /// Returns since when a check has been due that nobody has claimed yet.
    pub fn due_since(&self, now: Timestamp) -> Option<Timestamp> {
        self.next_check_at
            .filter(|slot| self.is_unclaimed() && *slot <= now)
    }

    /// Makes an active entity due at `now` at the latest. Has no effect on an inactive one.
    pub fn make_due(&mut self, now: Timestamp) {
        if self.is_active {
            self.next_check_at = Some(self.next_check_at.map_or(now, |slot| slot.min(now)));
        }
    }

    /// Returns aliases that people probably write instead of the name. A client decides which of them the
    /// entity gets.
    pub fn suggested_aliases(&self) -> Vec<String> {
        brand::suggested_aliases(&self.name, &self.aliases, self.domain.as_deref())
    }

    /// Parses the stored target.
    pub fn parse_stored_target(&self) -> Result<Target, InvalidField> {
        Target::from_stored(&self.target, self.target_type, self.domain.as_deref())
    }

    /// Returns when a tick has to process the entity.
    ///
    /// That is the time of its deletion, the next reconciliation of its running check, or its next check
    /// slot.
    pub fn due_at(&self) -> Option<Timestamp> {
        self.erase_again_at
            .or(self.deleted_at)
            .or(self.running.as_ref().map(|r| r.next_reconciliation_at))
            .or(self.next_check_at)
    }

    /// Returns the time from one check slot to the next.
    pub fn check_interval(&self) -> Duration {
        self.frequency_hours.max(1) * HOUR
    }

    /// Returns the slot that follows `slot` if `slot` is claimed or skipped at `now`. Slots are at multiples
    /// of the interval after `slot`, and missed ones are skipped.
    pub fn slot_after(&self, slot: Timestamp, now: Timestamp) -> Timestamp {
        let interval = self.check_interval();
        let passed = now.duration_since(slot).as_millis() / interval.as_millis();
        slot + interval.saturating_mul(u32::try_from(passed + 1).unwrap_or(u32::MAX)) // In 490,000 years.
    }

    /// Moves the entity to its next check slot without a check. `problem` is what clients see meanwhile.
    pub fn skip_slot(&mut self, problem: Option<Problem>, now: Timestamp) {
        self.next_check_at = self.next_check_at.map(|slot| self.slot_after(slot, now));
        self.problems = problem.into_iter().collect();
    }

    /// Returns the number of checks that were claimed on a UTC day. `day` must not be before the day of the
    /// last claim.
    pub fn claims_on(&self, day: Day) -> u32 {
        self.claimed_on
            .filter(|(last, _)| *last == day)
            .map_or(0, |(_, count)| count)
    }

    /// Assigns the next ordinals to those models that have none.
    ///
    /// Returns the UUIDs of all numbered models in the order of their ordinals, and the ordinals of `models`.
    pub fn assign_model_ordinals(&self, models: &[Uuid]) -> (Vec<Uuid>, Vec<ModelOrdinal>) {
        let mut known = self.model_ordinals.clone();
        let ordinals = models
            .iter()
            .map(|uuid| {
                let index = known.iter().position(|k| k == uuid).unwrap_or_else(|| {
                    known.push(*uuid);
                    known.len() - 1
                });
                ModelOrdinal::from_index(index)
            })
            .collect();
        (known, ordinals)
    }
}
