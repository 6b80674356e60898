//! What has happened in a run, as the table and the provider saw it, and what must not happen at any moment.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use domain::limits::{LEASE_RENEWAL, MAX_ASKS_PER_QUESTION};
use domain::time::Timestamp;
use serde_json::Value;
use tokio::time::Instant;

/// One invocation of the checker, or of a function that a client called.
pub(super) type Invocation = u64;

/// How long a worker may go on asking that has lost its shard: until its next renewal tells it, and while
/// a question is held up by short waits.
const LEARNS_WITHIN: Duration = LEASE_RENEWAL.saturating_add(Duration::from_mins(2));

/// A shard's item, and what its workers did.
#[derive(Default)]
struct Shard {
    owner: String,
    holder: Invocation,
    lease_until: i64,
    not_before: Option<i64>,
    ended: bool,
    /// When it was taken from a former worker, or ended.
    lost_at: Option<Instant>,
    noted: BTreeMap<u32, u32>,
    /// When each worker noted its asks last, as a place in the ledger.
    noted_by: BTreeMap<Invocation, u64>,
    recorded: BTreeMap<u32, u64>,
    taken: BTreeMap<u32, u32>,
}

#[derive(Default)]
pub(super) struct Ledger {
    entries: u64,
    shards: BTreeMap<String, Shard>,
    /// The shard that an invocation works on.
    work: BTreeMap<Invocation, String>,
    tokens: BTreeSet<String>,
    responses: BTreeSet<String>,
    /// What must not have happened.
    pub(super) wrong: Vec<String>,
}

impl Ledger {
    /// A call that took effect. `latest`: the latest service time that anybody has seen.
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

    /// A shard's item was written by itself: taken up, held, noted on, given back or closed.
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

    /// A question reaches the provider.
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
        // What a former worker records once a round has begun is not known to the round.
        if shard.recorded.get(&prompt).is_some_and(|at| *at < noted_at) {
            wrong("asked again after its answer was recorded");
        }
        if shard.noted.get(&prompt).unwrap_or(&0) <= shard.taken.get(&prompt).unwrap_or(&0) {
            wrong("asked before that was noted");
        }
        if (shard.holder != invocation || shard.ended)
            && shard.lost_at.is_none_or(|at| at.elapsed() > LEARNS_WITHIN)
        {
            wrong("asked by a worker that has long lost the shard");
        }
    }

    /// The provider took a question: it may have to be paid.
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

    /// The shard that an invocation has given back: its entity, its check, and until when it waits.
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
