//! Transitions in any order, with repeated and lost events and with workers that crash, keep the lists right.

use proptest::prelude::*;

use super::*;
use crate::time::SECOND;

const SHARDS: u32 = 4;
const LEASE: std::time::Duration = SECOND.saturating_mul(10);

/// Returns the record of an open shard whose lease ends at an instant.
fn record_of(shard: ShardNumber, lease_until: Timestamp) -> Shard {
    Shard {
        shard,
        state: ShardState::Open,
        owner: Uuid::nil(),
        first_leased_at: None,
        lease_until,
        not_before: None,
        recorded: BTreeSet::new(),
        asks: BTreeMap::new(),
        problem: None,
    }
}

/// A check, its shards' records, and what the rest of the service knows of them.
struct World {
    lists: ShardLists,
    records: BTreeMap<ShardNumber, Shard>,
    /// The events that were published. Any of them can arrive at any time, and again.
    events: Vec<ShardNumber>,
    /// What admissions have read, perhaps a while ago.
    read: Vec<ShardLists>,
    /// What reconciliations have found, perhaps a while ago.
    corrections: Vec<Transition>,
    /// The workers that have a lease or had one.
    workers: Vec<(ShardNumber, Uuid)>,
    now: Timestamp,
    owners: u128,
}

impl World {
    fn new() -> Self {
        Self {
            lists: ShardLists::new(SHARDS),
            records: BTreeMap::new(),
            events: Vec::new(),
            read: vec![ShardLists::new(SHARDS)],
            corrections: Vec::new(),
            workers: Vec::new(),
            now: Timestamp::from_millis(1_000_000),
            owners: 0,
        }
    }

    fn reconcile(&mut self, are_events_lost: bool) {
        let records: Vec<Shard> = self.records.values().cloned().collect();
        let correction = self.lists.correction(&records, are_events_lost, self.now);
        let mut corrected = self.lists.clone();
        corrected.apply(&correction);
        let leased = |shard: &&Shard| shard.state == ShardState::Open && shard.lease_until > self.now;
        let leased: BTreeSet<ShardNumber> = records.iter().filter(leased).map(|r| r.shard).collect();
        assert_eq!(corrected.working, leased);
        self.corrections.push(correction);
    }

    /// Publishes shards that were ready when the lists were read. Returns whether no other admission was
    /// faster.
    fn publish(&mut self, read: &ShardLists, count: usize) -> bool {
        let shards: Vec<ShardNumber> = read.ready_shards().take(count).collect();
        let is_published = self.lists.apply(&read.publish(&shards, self.now));
        if is_published {
            self.events.extend(shards);
        }
        is_published
    }

    /// A worker gets the event of a shard. Returns whether it leases the shard.
    fn deliver(&mut self, shard: ShardNumber) -> bool {
        let (now, owner) = (self.now, Uuid::from_u128(self.owners));
        self.owners += 1;
        let record = self.records.entry(shard).or_insert_with(|| record_of(shard, now));
        let refused = match record.free_at() {
            None => Transition::withdraw(shard),
            Some(free) if free > now => Transition::drop_event(shard),
            Some(_) => {
                (record.owner, record.lease_until, record.not_before) = (owner, now + LEASE, None);
                self.workers.push((shard, owner));
                return true;
            }
        };
        self.lists.apply(&refused)
    }

    /// Returns the record of a worker's shard if the worker still has it.
    fn owned(&mut self, (shard, owner): (ShardNumber, Uuid)) -> Option<&mut Shard> {
        let record = self.records.get_mut(&shard);
        record.filter(|record| record.owner == owner && record.state == ShardState::Open)
    }

    fn end(&mut self, worker: (ShardNumber, Uuid)) {
        if let Some(record) = self.owned(worker) {
            record.state = ShardState::Done;
            assert!(
                self.lists.apply(&Transition::end(worker.0)),
                "it is counted off once"
            );
        }
    }

    fn act(&mut self, action: u8, which: usize) {
        let now = self.now;
        let pick = |count: usize| (count > 0).then(|| which % count);
        let worker = pick(self.workers.len()).map(|index| self.workers[index]);
        match (action, worker) {
            (0, _) => self.read.push(self.lists.clone()),
            (1, _) => {
                let read = self.read[which % self.read.len()].clone();
                self.publish(&read, 1 + which % 3);
            }
            (2, _) => {
                if let Some(index) = pick(self.events.len()) {
                    self.deliver(self.events[index]);
                }
            }
            (3, _) => self.reconcile(which.is_multiple_of(2)),
            (4, _) => {
                if let Some(index) = pick(self.corrections.len()) {
                    self.lists.apply(&self.corrections[index]);
                }
            }
            (5, _) => self.now = now + SECOND * u32::try_from(which % 15).unwrap(),
            // An event could not be published, or its step has failed.
            (6, _) => {
                if let Some(index) = pick(self.events.len()) {
                    self.lists
                        .apply(&Transition::return_to_ready([self.events[index]]));
                }
            }
            (7, Some(worker)) if self.owned(worker).is_some() => {
                self.lists.apply(&Transition::take_up(worker.0));
            }
            (8, Some(worker)) => self.end(worker),
            (9, Some(worker)) => {
                if let Some(record) = self.owned(worker) {
                    (record.lease_until, record.not_before) = (now, Some(now + LEASE));
                    self.lists.apply(&Transition::withdraw(worker.0));
                }
            }
            // The shard is handed over.
            (10, Some(worker)) => {
                if let Some(record) = self.owned(worker) {
                    record.lease_until = now;
                    self.events.push(worker.0);
                }
            }
            // A worker that has lost its lease does not know that yet.
            (11, Some(worker)) => {
                self.lists.apply(&Transition::take_up(worker.0));
            }
            _ => {}
        }
    }

    fn check(&self) {
        let mut waiting: Vec<ShardNumber> = self.lists.ready_shards().collect();
        waiting.extend(self.lists.published.iter().chain(&self.lists.working));
        let count = waiting.len();
        let distinct: BTreeSet<ShardNumber> = waiting.into_iter().collect();
        assert_eq!(distinct.len(), count, "a shard is in two lists: {:?}", self.lists);
        let open = (0..SHARDS).map(ShardNumber::new);
        let is_done = |shard: &ShardNumber| {
            self.records
                .get(shard)
                .is_some_and(|r| r.state == ShardState::Done)
        };
        let open = open.filter(|shard| !is_done(shard)).count();
        assert_eq!(usize::try_from(self.lists.left()).unwrap(), open);
    }

    /// Lets everything go well from now on.
    fn settle(&mut self) {
        for _ in 0..3 {
            self.now = self.now + 2 * LEASE;
            self.events.clear();
            self.reconcile(true);
            self.lists.apply(&self.corrections.pop().unwrap());
            let read = self.lists.clone();
            assert!(self.publish(&read, usize::MAX));
            for shard in std::mem::take(&mut self.events) {
                if self.deliver(shard) && self.lists.left() > 0 {
                    let worker = *self.workers.last().unwrap();
                    self.lists.apply(&Transition::take_up(shard));
                    self.end(worker);
                }
                self.check();
            }
        }
        self.reconcile(true);
        self.lists.apply(&self.corrections.pop().unwrap());
    }
}

proptest! {
    #[test]
    fn an_open_shard_is_in_at_most_one_list_and_all_are_done_at_last(
        actions in proptest::collection::vec((0u8..12, any::<u8>()), 0..200),
    ) {
        let mut world = World::new();
        for (action, which) in actions {
            world.act(action, which.into());
            world.check();
        }
        world.settle();
        prop_assert_eq!(world.lists.left(), 0);
        prop_assert!(world.lists.is_idle(), "{:?}", world.lists);
    }
}

#[test]
fn of_two_admissions_that_have_read_the_same_lists_one_publishes() {
    let (mut lists, at) = (ShardLists::new(SHARDS), Timestamp::from_millis(1));
    let numbers = |numbers: &[u32]| numbers.iter().copied().map(ShardNumber::new).collect::<Vec<_>>();
    let read = lists.clone();
    assert!(lists.apply(&read.publish(&numbers(&[0, 1, 2]), at)));
    assert!(!lists.apply(&read.publish(&numbers(&[0]), at)));
    lists.apply(&Transition::return_to_ready(numbers(&[0, 1])));
    let read = lists.clone();
    assert!(lists.apply(&read.publish(&numbers(&[1]), at)));
    assert!(!lists.apply(&read.publish(&numbers(&[0, 3]), at)));
    assert!(
        lists.apply(&read.publish(&numbers(&[3]), at)),
        "no ready one is among them"
    );
    assert!(
        lists.apply(&read.publish(&[], at)),
        "a check that only gets its turn"
    );
    assert_eq!(lists.ready_shards().collect::<Vec<_>>(), numbers(&[0]));
}

#[test]
fn a_worker_whose_shard_became_ready_returns_to_its_list() {
    let (mut lists, now) = (ShardLists::new(1), Timestamp::from_millis(1_000_000));
    let shard = ShardNumber::new(0);
    lists.apply(&lists.publish(&[shard], now));
    lists.apply(&Transition::take_up(shard));
    lists.apply(&Transition::return_to_ready([shard]));
    assert_eq!(lists.ready_shards().collect::<Vec<_>>(), [shard]);
    let leased = record_of(shard, now + LEASE);
    lists.apply(&lists.correction(&[leased], false, now));
    assert_eq!(
        (lists.ready_shards().count(), lists.working),
        (0, BTreeSet::from([shard]))
    );
}

#[test]
fn a_correction_follows_the_records() {
    let (mut lists, now) = (ShardLists::new(6), Timestamp::from_millis(1_000_000));
    let numbers = |numbers: &[u32]| {
        numbers
            .iter()
            .copied()
            .map(ShardNumber::new)
            .collect::<BTreeSet<_>>()
    };
    let published: Vec<ShardNumber> = numbers(&[0, 1, 2, 3, 4]).into_iter().collect();
    lists.apply(&lists.publish(&published, now));
    for taken_up in [1, 2] {
        lists.apply(&Transition::take_up(taken_up.into()));
    }
    // The first is done, the second has lost its worker, the third is worked on, the fourth waits, and the
    // fifth is deferred.
    let mut records = [0, 1, 2, 4].map(|shard| record_of(shard.into(), now));
    records[0].state = ShardState::Done;
    records[2].lease_until = now + SECOND;
    records[3].not_before = Some(now + SECOND);
    for (are_events_lost, ready, left) in [(false, &[1][..], &[0, 1][..]), (true, &[1, 3], &[0, 1, 3, 4])] {
        let correction = lists.correction(&records, are_events_lost, now);
        assert_eq!(correction.to[&ShardList::Ready], numbers(ready));
        assert_eq!(correction.from[&ShardList::Published], numbers(left));
        assert_eq!(correction.from[&ShardList::Working], numbers(ready));
    }
}

#[test]
fn the_lists_are_stored_beside_the_other_fields_of_a_check() {
    let stored = serde_json::to_value(ShardLists::new(SHARDS)).unwrap();
    assert_eq!(
        stored,
        serde_json::json!({"shards": 4, "shardsLeft": 4, "nextShard": 0})
    );
    for list in [ShardList::Ready, ShardList::Published, ShardList::Working] {
        let mut lists = ShardLists::new(SHARDS);
        lists.list_mut(list).insert(ShardNumber::new(2));
        let stored = serde_json::to_value(&lists).unwrap();
        assert_eq!(
            stored[list.into_str()],
            serde_json::json!([2]),
            "its name is its attribute's"
        );
        assert_eq!(serde_json::from_value::<ShardLists>(stored).unwrap(), lists);
    }
}
