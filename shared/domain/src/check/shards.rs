//! The shards of a running check: where each of them is, and how it gets there. Nothing else changes a list.
//!
//! ```text
//! unpublished ──publish──> published ──take_up──> working ──end──> done
//!                 ready ───┘     │                   ├──withdraw──> deferred ──correction──> ready
//!                   └<───────────┴──return_to_ready──┘
//! ```
//!
//! The record of a shard decides which questions are asked. The lists of its check only tell an admission
//! what to publish. A shard whose worker or event is lost stays in its list until a reconciliation compares
//! the lists with the records. A deferred shard, and one that is done, is in no list. A worker that runs out
//! of time hands its shard over by an event of its own, and the shard stays *working*. Closing a shard ends
//! its record alone, because its check ends with it.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;
use uuid::Uuid;

use crate::limits::CHECK_DEADLINE;
use crate::ordinal::{PromptOrdinal, ShardNumber};
use crate::time::Timestamp;

/// The record of a shard, which its workers write.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Shard {
    pub shard: ShardNumber,
    pub state: ShardState,
    /// The worker that has the lease.
    pub owner: Uuid,
    /// When a worker leased the shard for the first time. `None` if none did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_leased_at: Option<Timestamp>,
    /// The instant at which the lease ends.
    pub lease_until: Timestamp,
    /// The instant before which no worker continues the shard, if the provider asked for a delay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_before: Option<Timestamp>,
    /// The prompts whose responses are recorded.
    #[serde(default)]
    pub recorded: BTreeSet<PromptOrdinal>,
    /// The number of times that each prompt was asked.
    #[serde(default)]
    pub asks: BTreeMap<PromptOrdinal, u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<crate::entity::Problem>,
}

/// The state of a shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum ShardState {
    Open,
    Done,
    /// The check was closed at its deadline, so no more answers are recorded.
    Closed,
}

impl Shard {
    /// Returns when a worker can lease the shard, or `None` if it has ended.
    pub fn free_at(&self) -> Option<Timestamp> {
        match self.state {
            ShardState::Open => Some(self.not_before.unwrap_or(self.lease_until).max(self.lease_until)),
            ShardState::Done | ShardState::Closed => None,
        }
    }

    /// Returns the instant before which the check is not closed, or `None` if no worker has leased the shard.
    pub fn deadline(&self) -> Option<Timestamp> {
        Some(self.first_leased_at? + CHECK_DEADLINE)
    }
}

/// A list of shards of a check. Its name is that of the field below, which is also the stored attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum ShardList {
    Ready,
    Published,
    Working,
}

/// The shards of a check, and the lists in which they are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShardLists {
    /// The number of shards.
    #[serde(rename = "shards")]
    total: u32,
    /// The number of shards that are not done.
    shards_left: u32,
    /// The first shard that was never published, or the number of shards. A listing of checks leaves it out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    next_shard: Option<ShardNumber>,
    /// The shards that are to be published again.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    ready: BTreeSet<ShardNumber>,
    /// The shards that were published and that no worker has taken up.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    published: BTreeSet<ShardNumber>,
    /// When a shard was published last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    published_at: Option<Timestamp>,
    /// The shards that workers have taken up.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    working: BTreeSet<ShardNumber>,
}

/// Shards that enter or leave lists.
type Moves = BTreeMap<ShardList, BTreeSet<ShardNumber>>;

/// A transition of shards of a running check. It can be applied twice in a row, unless it ends a shard.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Transition {
    /// The shards that leave lists, if they are there.
    pub from: Moves,
    /// The shards that enter a list.
    pub to: Moves,
    pub publication: Option<Publication>,
    /// Whether a shard is counted off that was not done.
    pub ends: bool,
}

/// The precondition and the instant of a publication.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Publication {
    /// The first unpublished shard before, which must be unchanged, and after it. `None` if it does not move.
    pub next_shard: Option<(ShardNumber, ShardNumber)>,
    /// The ready shards before, which must be unchanged. `None` if none of them is published.
    pub ready: Option<BTreeSet<ShardNumber>>,
    pub at: Timestamp,
}

impl Transition {
    /// Published → working: a worker has leased the shard.
    pub fn take_up(shard: ShardNumber) -> Self {
        Self {
            to: Moves::from([(ShardList::Working, BTreeSet::from([shard]))]),
            ..Self::leave(&[ShardList::Ready, ShardList::Published], shard)
        }
    }

    /// Published or working → ready: the events may not have been published, or a worker has failed. If
    /// another worker has a shard after all, the next one finds that there is nothing to do.
    pub fn return_to_ready(shards: impl IntoIterator<Item = ShardNumber>) -> Self {
        let mut transition = Self::default();
        for shard in shards {
            transition.add_ready(shard);
        }
        transition
    }

    /// Published → none: an event has arrived of a shard that another worker has, or that is deferred.
    pub fn drop_event(shard: ShardNumber) -> Self {
        Self::leave(&[ShardList::Published], shard)
    }

    /// Any list → none: the shard was deferred, or an event has arrived of a shard that has ended.
    pub fn withdraw(shard: ShardNumber) -> Self {
        Self::leave(
            &[ShardList::Ready, ShardList::Published, ShardList::Working],
            shard,
        )
    }

    /// Any list → done. The record of the shard must be open until then, and its worker must have the lease.
    pub fn end(shard: ShardNumber) -> Self {
        Self {
            ends: true,
            ..Self::withdraw(shard)
        }
    }

    fn leave(lists: &[ShardList], shard: ShardNumber) -> Self {
        Self {
            from: lists
                .iter()
                .map(|list| (*list, BTreeSet::from([shard])))
                .collect(),
            ..Self::default()
        }
    }

    fn add(&mut self, other: Self) {
        for (all, more) in [(&mut self.from, other.from), (&mut self.to, other.to)] {
            for (list, shards) in more {
                all.entry(list).or_default().extend(shards);
            }
        }
    }

    fn add_ready(&mut self, shard: ShardNumber) {
        self.to.entry(ShardList::Ready).or_default().insert(shard);
        for list in [ShardList::Published, ShardList::Working] {
            self.from.entry(list).or_default().insert(shard);
        }
    }
}

impl ShardLists {
    /// Creates the lists of a check whose shards are all unpublished.
    pub fn new(shards: u32) -> Self {
        Self {
            total: shards,
            shards_left: shards,
            next_shard: Some(ShardNumber::new(0)),
            ready: BTreeSet::new(),
            published: BTreeSet::new(),
            published_at: None,
            working: BTreeSet::new(),
        }
    }

    /// Unpublished or ready → published, for some of the first [`Self::ready_shards`]. No other admission may
    /// have published shards since the lists were read.
    pub fn publish(&self, shards: &[ShardNumber], at: Timestamp) -> Transition {
        let (set, next) = (shards.iter().copied().collect::<BTreeSet<_>>(), self.next_shard);
        let Some(last) = set.last().copied() else {
            return Transition::default();
        };
        Transition {
            publication: Some(Publication {
                next_shard: next.filter(|next| last >= *next).map(|next| (next, last.next())),
                ready: (!set.is_disjoint(&self.ready)).then(|| self.ready.clone()),
                at,
            }),
            from: Moves::from([(ShardList::Ready, set.clone())]),
            to: Moves::from([(ShardList::Published, set)]),
            ends: false,
        }
    }

    /// Compares the lists with the records of the shards. *Published* keeps no shard that has ended,
    /// *working* has the leased shards, and a shard that nobody works on is published or becomes ready.
    /// `are_events_lost` tells that no event of a published shard is on its way.
    pub fn correction(&self, records: &[Shard], are_events_lost: bool, now: Timestamp) -> Transition {
        let records: BTreeMap<ShardNumber, &Shard> = records.iter().map(|r| (r.shard, r)).collect();
        let mut correction = Transition::default();
        for shard in (0..self.next_shard.map_or(self.total, ShardNumber::get)).map(ShardNumber::new) {
            let record = records.get(&shard);
            let free_at = record.map_or(Some(now), |record| record.free_at());
            let is_leased = free_at.is_some() && record.is_some_and(|record| record.lease_until > now);
            let is_lost = are_events_lost || free_at.is_none();
            let waits = self.ready.contains(&shard) || (self.published.contains(&shard) && !is_lost);
            if free_at.is_some_and(|free| free <= now) && !waits {
                correction.add_ready(shard);
                continue;
            }
            if is_leased && !self.working.contains(&shard) {
                correction.add(Transition::take_up(shard));
                continue;
            }
            for (list, is_wrong) in [(ShardList::Published, is_lost), (ShardList::Working, !is_leased)] {
                if is_wrong && self.list(list).contains(&shard) {
                    correction.from.entry(list).or_default().insert(shard);
                }
            }
        }
        correction
    }

    /// Applies a transition to the model of what the store writes. Returns `false` if its precondition does
    /// not hold, and then changes nothing.
    pub fn apply(&mut self, transition: &Transition) -> bool {
        let publication = transition.publication.as_ref();
        let is_outrun = |publication: &Publication| {
            let next = publication.next_shard.map(|(before, _)| before);
            (next.is_some() && next != self.next_shard)
                || publication
                    .ready
                    .as_ref()
                    .is_some_and(|ready| *ready != self.ready)
        };
        if publication.is_some_and(is_outrun) || (transition.ends && self.shards_left == 0) {
            return false;
        }
        if let Some(publication) = publication {
            self.next_shard = publication.next_shard.map(|(_, next)| next).or(self.next_shard);
            self.published_at = Some(publication.at);
        }
        self.shards_left -= u32::from(transition.ends);
        for (list, shards) in &transition.from {
            self.list_mut(*list).retain(|shard| !shards.contains(shard));
        }
        for (list, shards) in &transition.to {
            self.list_mut(*list).extend(shards);
        }
        true
    }

    pub fn list(&self, list: ShardList) -> &BTreeSet<ShardNumber> {
        match list {
            ShardList::Ready => &self.ready,
            ShardList::Published => &self.published,
            ShardList::Working => &self.working,
        }
    }

    fn list_mut(&mut self, list: ShardList) -> &mut BTreeSet<ShardNumber> {
        match list {
            ShardList::Ready => &mut self.ready,
            ShardList::Published => &mut self.published,
            ShardList::Working => &mut self.working,
        }
    }

    pub fn total(&self) -> u32 {
        self.total
    }

    /// Returns the number of shards that are not done.
    pub fn left(&self) -> u32 {
        self.shards_left
    }

    /// Returns when a shard was published last.
    pub fn published_at(&self) -> Option<Timestamp> {
        self.published_at
    }

    /// Returns the shards that may be published, with those that were never published last.
    pub fn ready_shards(&self) -> impl Iterator<Item = ShardNumber> + use<'_> {
        let unpublished = self.next_shard.map_or(self.total, ShardNumber::get)..self.total;
        self.ready
            .iter()
            .copied()
            .chain(unpublished.map(ShardNumber::new))
    }

    /// Returns whether no shard is unpublished or published.
    pub fn none_is_unpublished_or_published(&self) -> bool {
        self.published.is_empty() && self.next_shard.is_none_or(|next| next.get() >= self.total)
    }

    /// Returns whether no shard is to be published, published, or worked on. The open shards of a running
    /// check are then deferred.
    pub fn is_idle(&self) -> bool {
        self.none_is_unpublished_or_published() && self.ready.is_empty() && self.working.is_empty()
    }
}
