//! Writes transitions of shards to the item of their check. No other file names the attributes of the lists.

use aws_sdk_dynamodb::types::AttributeValue;
use domain::check::{Check, CheckState, Transition};
use domain::id::EntityId;
use domain::ordinal::{CheckNumber, ShardNumber};
use uuid::Uuid;

use crate::expression::{Values, number_value, string_value};
use crate::items::from_item;
use crate::{Store, StoreError, Tenant, keys};

/// The condition that no shard of a check whose shards have all been published is in a list.
pub(super) const IS_IDLE: &str =
    "attribute_not_exists(#ready) AND attribute_not_exists(#published) AND attribute_not_exists(#working)";
/// The condition that all shards of a check are done. It binds `:zero`.
pub(super) const ARE_ALL_DONE: &str = "#shardsLeft = :zero";
/// What a listing of checks reads, without what admissions need.
pub(super) const LISTED: &str =
    "#SK, #check, #state, #claimedAt, #startedAt, #deadline, #shards, #shardsLeft, #reserved";

/// An update of a check's item.
pub(super) struct CheckUpdate {
    pub(super) update: String,
    pub(super) condition: String,
    pub(super) bound: Vec<(String, AttributeValue)>,
}

impl CheckUpdate {
    /// Returns the update that applies a transition to a running check, and `set`s other attributes to
    /// values.
    pub(super) fn of(transition: &Transition, set: &[&str], values: Values) -> Self {
        let mut set: Vec<&str> = set.to_vec();
        let mut condition = "#state = :running".to_owned();
        let values = values.into_iter().map(|(name, value)| (name.to_owned(), value));
        let mut bound: Vec<(String, AttributeValue)> = values.collect();
        let mut bind = |name: &str, value| bound.push((name.to_owned(), value));
        bind(":running", string_value(CheckState::Running.into_str()));
        if let Some(publication) = &transition.publication {
            // The SDK repeats an update after a lost response. The token shows that it took effect.
            set.push("#publication = :token");
            bind(":token", string_value(Uuid::new_v4()));
            if let Some((before, next)) = publication.next_shard {
                set.push("#nextShard = :next");
                condition += " AND (#nextShard = :before OR #publication = :token)";
                bind(":before", number_value(before));
                bind(":next", number_value(next));
            }
            if let Some(ready) = &publication.ready {
                condition += " AND (#ready = :expected OR #publication = :token)";
                bind(":expected", shard_set(ready));
            }
            set.push("#publishedAt = :at");
            bind(":at", number_value(publication.at.as_millis()));
        }
        if transition.ends {
            set.push("#shardsLeft = #shardsLeft - :one");
            condition += " AND #shardsLeft > :zero";
            bind(":one", number_value(1));
            bind(":zero", number_value(0));
        }
        let mut clauses = Vec::new();
        if !set.is_empty() {
            clauses.push(format!("SET {}", set.join(", ")));
        }
        for (verb, moves) in [("ADD", &transition.to), ("DELETE", &transition.from)] {
            let moved = moves.iter().map(|(list, shards)| {
                let (list, value) = (list.into_str(), format!(":{verb}{}", list.into_str()));
                bind(&value, shard_set(shards));
                format!("#{list} {value}")
            });
            let moved: Vec<String> = moved.collect();
            if !moved.is_empty() {
                clauses.push(format!("{verb} {}", moved.join(", ")));
            }
        }
        Self {
            update: clauses.join(" "),
            condition,
            bound,
        }
    }
}

impl Store {
    /// Applies a transition to a check. Returns the check after that, or `None` if it is not running.
    pub async fn move_shards(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: CheckNumber,
        transition: &Transition,
    ) -> Result<Option<Check>, StoreError> {
        let update = CheckUpdate::of(transition, &[], Vec::new());
        self.update_check(tenant, entity, check, update).await
    }

    /// Updates a check. Returns the check after that, or `None` if the condition failed.
    pub(super) async fn update_check(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: CheckNumber,
        update: CheckUpdate,
    ) -> Result<Option<Check>, StoreError> {
        let CheckUpdate {
            update,
            condition,
            bound,
        } = update;
        let key = keys::check(tenant, entity, check);
        let updated = self.update_one(&key, &update, &condition, bound).await?;
        updated.item().map(from_item).transpose()
    }
}

fn shard_set<'a>(shards: impl IntoIterator<Item = &'a ShardNumber>) -> AttributeValue {
    AttributeValue::Ns(shards.into_iter().map(ToString::to_string).collect())
}
