//! The history of a run as the table and the provider observe it, with the invariants that hold at every moment.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use domain::limits::{LEASE_RENEWAL, MAX_ASKS_PER_QUESTION};
use domain::time::Timestamp;
use serde_json::Value;
use tokio::time::Instant;

/// One invocation of the checker, or of a function that a client called.
pub(super) type Invocation = u64;

/// The longest time in which a worker without a lease may still ask: until its next renewal fails, plus the short
/// delays of a question.
const MAX_ASKING_AFTER_LOSS: Duration = LEASE_RENEWAL.saturating_add(Duration::from_mins(2));

/// A shard's item and the actions of its workers.
#[derive(Default)]
struct Shard {
    owner: String,
    holder: Invocation,
    lease_until: i64,
    not_before: Option<i64>,
    ended: bool,
    /// The time at which a former worker lost it, or at which it ended.
    lost_at: Option<Instant>,
    noted: BTreeMap<u32, u32>,
    /// The ledger entry of each worker's last record of asks.
    noted_by: BTreeMap<Invocation, u64>,
    recorded: BTreeMap<u32, u64>,
    taken: BTreeMap<u32, u32>,
}

#[derive(Default)]
pub(super) struct Ledger {
    entries: u64,
    shards: BTreeMap<String, Shard>,
    /// The shard that each invocation works on.
    work: BTreeMap<Invocation, String>,
    tokens: BTreeSet<String>,
    responses: BTreeSet<String>,
    /// Violated invariants.
    pub(super) wrong: Vec<String>,
}

impl Ledger {
    /// Records a call that took effect. `latest` is the latest service time that any process has read.
    pub(super) fn took_effect(
        &mut self,
        invocation: Invocation,
        (operation, request, response): (&str, &Value, &Value),
        latest: Timestamp,
    ) {
        self.entries += 1;
        match operation {
            "UpdateItem" => {
                if let Some(key) = shard_key(&request["Key"]) {
                    let notes = request["ExpressionAttributeValues"].get(":asks").is_some();
                    self.changed(invocation, key, (notes, &response["Attributes"]), latest);
                }
            }
            "TransactWriteItems" => {
                let token = request["ClientRequestToken"].as_str().unwrap();
                if self.tokens.insert(token.to_owned()) {
                    self.transacted(invocation, request["TransactItems"].as_array().unwrap());
                }
            }
            _ => {}
        }
    }

    /// Records a write to a shard's item alone: a lease, a renewal, a record of asks, a release or a close.
    fn changed(
        &mut self,
        invocation: Invocation,
        key: String,
        (notes, item): (bool, &Value),
        latest: Timestamp,
    ) {
        let text = |name: &str| item[name]["S"].as_str().unwrap_or_default().to_owned();
        let number = |name: &str| item[name]["N"].as_str().map(|n| n.parse::<i64>().unwrap());
        let shard = self.shards.entry(key.clone()).or_default();
        shard.not_before = number("notBefore");
        shard.noted = counts(&item["asks"]);
        if notes {
            shard.noted_by.insert(invocation, self.entries);
        }
        if text("state") != "open" {
            shard.ended = true;
            shard.lost_at = Some(Instant::now());
        } else if shard.owner != text("owner") {
            if shard.lease_until > latest.as_millis() {
                self.wrong
                    .push(format!("{key}: taken from a worker whose lease had not run out"));
            }
            shard.lost_at = Some(Instant::now());
            shard.owner = text("owner");
            shard.holder = invocation;
            self.work.insert(invocation, key);
        }
        shard.lease_until = number("leaseUntil").unwrap_or_default();
    }

    fn transacted(&mut self, invocation: Invocation, actions: &[Value]) {
        let shard = actions.iter().find_map(|a| shard_key(&a["Update"]["Key"]));
        let mut prompts = Vec::new();
        for item in actions.iter().map(|action| &action["Put"]["Item"]) {
            let part = |name: &str| item[name]["S"].as_str().unwrap_or_default();
            if part("PK").contains("#R#") {
                let key = format!("{} {}", part("PK"), part("SK"));
                if self.responses.contains(&key) {
                    self.wrong.push(format!("{key}: recorded twice"));
                }
                self.responses.insert(key);
                prompts.push(item["prompt"]["N"].as_str().unwrap().parse().unwrap());
            }
        }
        let Some(key) = shard else { return };
        let shard = self.shards.entry(key.clone()).or_default();
        if prompts.is_empty() {
            shard.ended = true;
        } else if shard.ended {
            self.wrong.push(format!(
                "{key}: an answer of {invocation} was recorded after its end"
            ));
        }
        shard
            .recorded
            .extend(prompts.into_iter().map(|prompt| (prompt, self.entries)));
    }

    /// Records that a question is sent to the provider.
    pub(super) fn asks(&mut self, invocation: Invocation, prompt: u32) {
        let Some(key) = self.work.get(&invocation) else {
            return self
                .wrong
                .push(format!("{invocation} asks {prompt} without a lease"));
        };
        let shard = &self.shards[key];
        let mut wrong = |what: &str| {
            self.wrong
                .push(format!("{key}, prompt {prompt}, by {invocation}: {what}"));
        };
        let noted_at = shard.noted_by.get(&invocation).copied().unwrap_or_default();
        // A round does not see responses that a former worker records after the round has begun.
        if shard.recorded.get(&prompt).is_some_and(|at| *at < noted_at) {
            wrong("asked again after its answer was recorded");
        }
        if shard.noted.get(&prompt).unwrap_or(&0) <= shard.taken.get(&prompt).unwrap_or(&0) {
            wrong("asked before that was noted");
        }
        if (shard.holder != invocation || shard.ended)
            && shard
                .lost_at
                .is_none_or(|at| at.elapsed() > MAX_ASKING_AFTER_LOSS)
        {
            wrong("asked by a worker that has long lost the shard");
        }
    }

    /// Records that the provider accepted a question, which may have to be paid for.
    pub(super) fn took(&mut self, invocation: Invocation, prompt: u32) {
        let Some(key) = self.work.get(&invocation) else {
            return;
        };
        let shard = self.shards.get_mut(key).unwrap();
        let times = shard.taken.entry(prompt).or_default();
        *times += 1;
        if *times > MAX_ASKS_PER_QUESTION {
            self.wrong
                .push(format!("{key}, prompt {prompt}: asked {times} times"));
        }
    }

    /// Returns the entity, the check and the end of the delay of the shard that an invocation has released.
    pub(super) fn waits(&self, invocation: Invocation) -> Option<(String, u32, Timestamp)> {
        let key = self.work.get(&invocation)?;
        let shard = &self.shards[key];
        let is_given_back = shard.holder == invocation && shard.lease_until == 0 && !shard.ended;
        let until = shard.not_before.filter(|_| is_given_back)?;
        let entity = key.split(['#', ' ']).nth(3)?;
        let check = key.split("CHECK#").nth(1)?.split('#').next()?;
        Some((
            entity.to_owned(),
            check.parse().unwrap(),
            Timestamp::from_millis(until),
        ))
    }
}

fn shard_key(key: &Value) -> Option<String> {
    let part = |name: &str| key[name]["S"].as_str();
    let (pk, sk) = (part("PK")?, part("SK")?);
    sk.contains("#SHARD#").then(|| format!("{pk} {sk}"))
}

fn counts(map: &Value) -> BTreeMap<u32, u32> {
    let entries = map["M"].as_object().into_iter().flatten();
    entries
        .map(|(prompt, times)| {
            (
                prompt.parse().unwrap(),
                times["N"].as_str().unwrap().parse().unwrap(),
            )
        })
        .collect()
}
