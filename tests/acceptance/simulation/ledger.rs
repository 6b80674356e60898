//! The history of a run as the table and the provider observe it, with the invariants that hold at every
//! moment.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use domain::limits::{LEASE_RENEWAL, MAX_ASKS_PER_QUESTION};
use domain::time::Timestamp;
use serde_json::Value;
use tokio::time::Instant;

/// One invocation of the checker, or of a function that a client called.
pub(super) type Invocation = u64;

/// The longest time in which a worker without a lease may still ask: until its next renewal fails, plus the
/// short delays of a question.
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
    /// The recorded number of asks of each prompt.
    recorded_asks: BTreeMap<u32, u32>,
    /// The ledger entry of each worker's last record of asks.
    asks_recorded_by: BTreeMap<Invocation, u64>,
    /// The ledger entry that recorded the response to each prompt.
    recorded: BTreeMap<u32, u64>,
    /// The number of questions that the provider accepted for each prompt.
    accepted: BTreeMap<u32, u32>,
}

/// A call of the SDK and its successful response.
pub(super) struct Call<'a> {
    pub(super) operation: &'a str,
    pub(super) request: &'a Value,
    pub(super) response: &'a Value,
}

/// An update of a shard's item.
struct ShardUpdate<'a> {
    /// The item after the update.
    item: &'a Value,
    /// Whether the update records asks.
    records_asks: bool,
}

/// A shard that a worker has released until an instant.
pub(super) struct DeferredShard {
    pub(super) entity: String,
    pub(super) check: u32,
    pub(super) until: Timestamp,
}

/// The observed calls and questions of a run.
#[derive(Default)]
pub(super) struct Ledger {
    entries: u64,
    shards: BTreeMap<String, Shard>,
    /// The shard that each invocation works on.
    leased_by: BTreeMap<Invocation, String>,
    tokens: BTreeSet<String>,
    responses: BTreeSet<String>,
    /// Violated invariants.
    pub(super) violations: Vec<String>,
}

impl Ledger {
    /// Records a call that took effect. `latest` is the latest service time that any process has read.
    pub(super) fn record_call(&mut self, invocation: Invocation, call: &Call<'_>, latest: Timestamp) {
        self.entries += 1;
        let Call {
            operation,
            request,
            response,
        } = call;
        match *operation {
            "UpdateItem" => {
                if let Some(key) = shard_key(&request["Key"]) {
                    let records_asks = request["ExpressionAttributeValues"].get(":asks").is_some();
                    let update = ShardUpdate {
                        item: &response["Attributes"],
                        records_asks,
                    };
                    self.record_shard_update(invocation, key, &update, latest);
                }
            }
            "TransactWriteItems" => {
                let token = request["ClientRequestToken"].as_str().unwrap();
                if self.tokens.insert(token.to_owned()) {
                    self.record_transaction(invocation, request["TransactItems"].as_array().unwrap());
                }
            }
            _ => {}
        }
    }

    /// Records a write to a shard's item alone: a lease, a renewal, a record of asks, a release or a close.
    fn record_shard_update(
        &mut self,
        invocation: Invocation,
        key: String,
        update: &ShardUpdate<'_>,
        latest: Timestamp,
    ) {
        let item = update.item;
        let text = |name: &str| item[name]["S"].as_str().unwrap_or_default().to_owned();
        let number = |name: &str| item[name]["N"].as_str().map(|n| n.parse::<i64>().unwrap());
        let shard = self.shards.entry(key.clone()).or_default();
        shard.not_before = number("notBefore");
        shard.recorded_asks = counts(&item["asks"]);
        if update.records_asks {
            shard.asks_recorded_by.insert(invocation, self.entries);
        }
        if text("state") != "open" {
            shard.ended = true;
            shard.lost_at = Some(Instant::now());
        } else if shard.owner != text("owner") {
            if shard.lease_until > latest.as_millis() {
                self.violations.push(format!(
                    "{key}: leased while another worker's lease had not expired"
                ));
            }
            shard.lost_at = Some(Instant::now());
            shard.owner = text("owner");
            shard.holder = invocation;
            self.leased_by.insert(invocation, key);
        }
        shard.lease_until = number("leaseUntil").unwrap_or_default();
    }

    fn record_transaction(&mut self, invocation: Invocation, actions: &[Value]) {
        let shard = actions.iter().find_map(|a| shard_key(&a["Update"]["Key"]));
        let mut prompts = Vec::new();
        for item in actions.iter().map(|action| &action["Put"]["Item"]) {
            let part = |name: &str| item[name]["S"].as_str().unwrap_or_default();
            if part("PK").contains("#R#") {
                let key = format!("{} {}", part("PK"), part("SK"));
                if self.responses.contains(&key) {
                    self.violations.push(format!("{key}: recorded twice"));
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
            self.violations.push(format!(
                "{key}: an answer of {invocation} was recorded after its end"
            ));
        }
        shard
            .recorded
            .extend(prompts.into_iter().map(|prompt| (prompt, self.entries)));
    }

    /// Records that a question is sent to the provider.
    pub(super) fn record_question(&mut self, invocation: Invocation, prompt: u32) {
        let Some(key) = self.leased_by.get(&invocation) else {
            return self
                .violations
                .push(format!("{invocation} asks {prompt} without a lease"));
        };
        let shard = &self.shards[key];
        let mut violated = |what: &str| {
            self.violations
                .push(format!("{key}, prompt {prompt}, by {invocation}: {what}"));
        };
        let asks_recorded_at = shard
            .asks_recorded_by
            .get(&invocation)
            .copied()
            .unwrap_or_default();
        // A round does not see responses that a former worker records after the round has begun.
        if shard
            .recorded
            .get(&prompt)
            .is_some_and(|at| *at < asks_recorded_at)
        {
            violated("asked again after its answer was recorded");
        }
        if shard.recorded_asks.get(&prompt).unwrap_or(&0) <= shard.accepted.get(&prompt).unwrap_or(&0) {
            violated("asked before the ask was recorded");
        }
        if (shard.holder != invocation || shard.ended)
            && shard
                .lost_at
                .is_none_or(|at| at.elapsed() > MAX_ASKING_AFTER_LOSS)
        {
            violated("asked by a worker that has long lost the shard");
        }
    }

    /// Records that the provider accepted a question, which may have to be paid for.
    pub(super) fn record_accepted_question(&mut self, invocation: Invocation, prompt: u32) {
        let Some(key) = self.leased_by.get(&invocation) else {
            return;
        };
        let shard = self.shards.get_mut(key).unwrap();
        let times = shard.accepted.entry(prompt).or_default();
        *times += 1;
        if *times > MAX_ASKS_PER_QUESTION {
            self.violations
                .push(format!("{key}, prompt {prompt}: asked {times} times"));
        }
    }

    /// Returns the shard that an invocation has deferred, if it has.
    pub(super) fn deferred_shard(&self, invocation: Invocation) -> Option<DeferredShard> {
        let key = self.leased_by.get(&invocation)?;
        let shard = &self.shards[key];
        let is_released = shard.holder == invocation && shard.lease_until == 0 && !shard.ended;
        let until = shard.not_before.filter(|_| is_released)?;
        let entity = key.split(['#', ' ']).nth(3)?;
        let check = key.split("CHECK#").nth(1)?.split('#').next()?;
        Some(DeferredShard {
            entity: entity.to_owned(),
            check: check.parse().unwrap(),
            until: Timestamp::from_millis(until),
        })
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
