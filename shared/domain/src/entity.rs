//! An entity: a workspace's tracking of one target.

mod change;
mod rename;
#[cfg(test)]
mod tests;

use std::time::Duration;

pub use change::EntityUpdate;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::check_key::CheckKey;
use crate::error::InvalidField;
use crate::id::EntityId;
use crate::locale::{Geolocation, Language};
use crate::ordinal::{BrandOrdinal, CheckNumber, ModelOrdinal, PromptOrdinal};
use crate::schedule::next_slot;
use crate::target::{Target, TargetType};
use crate::time::{Day, HOUR, Timestamp, duration_millis};

/// What is tracked: a site, or a person or brand known by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
pub enum TrackingType {
    Website,
    Individual,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entity {
    pub id: EntityId,
    /// The brand's uuid, the same in every workspace. It never changes.
    pub brand: Uuid,
    /// The brand's number in this workspace: what facts store.
    pub brand_ordinal: BrandOrdinal,
    pub name: String,
    pub target: String,
    pub target_type: TargetType,
    /// Registrable domain; `None` for an individual without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub favicon_url: Option<String>,
    pub description: String,
    pub language: Language,
    pub geolocation: Geolocation,
    pub tracking_type: TrackingType,
    #[serde(default)]
    pub aliases: Vec<String>,
    /// Models that are asked.
    pub models: Vec<Uuid>,
    /// Every model that was ever asked; a model's index here is its ordinal in facts and response ids.
    pub model_ordinals: Vec<Uuid>,
    pub is_active: bool,
    pub frequency_hours: u32,
    pub created_at: Timestamp,
    /// The ordinal of the last prompt; 0 if there was none.
    pub prompt_seq: PromptOrdinal,
    /// The number of the last check; 0 if there was none.
    pub check_seq: CheckNumber,
    /// Prompts that are not deleted: what the workspace counts.
    pub prompts: u32,
    /// The slot of the next scheduled check; `None` only for an inactive entity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_check_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub running: Option<RunningCheck>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_check: Option<LastCheck>,
    /// The day of the last claim, and how many checks were claimed on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claimed_on: Option<(Day, u32)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<Problem>,
    /// When the last request for another name was filed: it is found by that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_name_request: Option<Timestamp>,
    /// Counts the changes of this record: a change is written only if no other came between.
    #[serde(default)]
    pub revision: u32,
    /// Since when it is deleted: nobody but the clean-up sees it any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleted_at: Option<Timestamp>,
}

/// The check that runs now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunningCheck {
    pub check: CheckNumber,
    pub deadline: Timestamp,
    /// Credits set aside by the claim.
    pub reserved: i64,
    /// When a tick reconciles the check again.
    #[serde(rename = "nextLookAt")]
    pub next_reconciliation_at: Timestamp,
    /// The real time from that reconciliation to the one after it.
    #[serde(rename = "lookAfter", with = "duration_millis")]
    pub reconcile_after: Duration,
}

/// The last check that was completed. Readers use it to know which facts there must be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LastCheck {
    pub check: CheckNumber,
    pub day: Day,
    pub completed_at: Timestamp,
}

impl LastCheck {
    /// Returns the key of its responses and segments.
    pub fn key(&self) -> CheckKey {
        CheckKey {
            day: self.day,
            check: self.check,
        }
    }
}

/// Why checks of an entity do not give all they should.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// The provider, or `None` where it is not about one (missing credits).
    pub provider: Option<String>,
    /// The model, or `None` where the whole provider is meant.
    pub model_id: Option<Uuid>,
    pub reason: String,
    pub since: Timestamp,
}

impl Problem {
    /// What two problems have in common that are one.
    pub fn cause(&self) -> (Option<&str>, Option<Uuid>, &str) {
        (self.provider.as_deref(), self.model_id, &self.reason)
    }
}

impl Entity {
    /// A check is running. Derived from state and deadline, so it cannot stick.
    pub fn is_processing(&self, now: Timestamp) -> bool {
        self.running.as_ref().is_some_and(|r| now < r.deadline)
    }

    /// Makes an active entity due: it has got its first prompt or model to ask, or is tracked again.
    pub fn make_due(&mut self, now: Timestamp) {
        if self.is_active {
            self.next_check_at = Some(self.next_check_at.map_or(now, |slot| slot.min(now)));
        }
    }

    /// What it tracks, as it is stored.
    pub fn parse_stored_target(&self) -> Result<Target, InvalidField> {
        Target::from_stored(&self.target, self.target_type, self.domain.as_deref())
    }

    /// When the tick has to see this entity: to clean it up, else a running check's next look, else the next check.
    pub fn due_at(&self) -> Option<Timestamp> {
        self.deleted_at
            .or(self.running.as_ref().map(|r| r.next_reconciliation_at))
            .or(self.next_check_at)
    }

    /// Returns the time from one check slot to the next.
    pub fn check_interval(&self) -> Duration {
        self.frequency_hours.max(1) * HOUR
    }

    /// Returns the slot after one that is claimed at `now`.
    pub fn slot_after(&self, slot: Timestamp, now: Timestamp) -> Timestamp {
        next_slot(slot, self.check_interval(), now)
    }

    /// Checks claimed on a UTC day, which is the day of the last claim or later.
    pub fn claims_on(&self, day: Day) -> u32 {
        self.claimed_on
            .filter(|(last, _)| *last == day)
            .map_or(0, |(_, count)| count)
    }

    /// The models' uuids with their ordinals, those not yet numbered getting the next ones.
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
