//! Export and erasure of 30 days with 200 prompts and 5 models.
#![expect(clippy::print_stdout, reason = "a measurement prints its figures")]

use std::collections::BTreeSet;

use acceptance::{Fault, Item};
use admin::Arguments;
use domain::check_key::ShardKey;
use domain::limits::ERASURE_REPETITION;
use domain::time::{MINUTE, SECOND};
use runtime::Settings;
use serde_json::Value;
use store::{AuthError, FactsKind, KeySettings, Rate};

use super::super::fixture::{CheckerFixture, default_answer};
use crate::store::table::answered;

/// The calls to the table after which the process is killed, again and again.
const CALLS_UNTIL_KILLED: usize = 4_000;

/// The size of an item that DynamoDB charges: its names and values.
fn charged_bytes(item: &Item) -> usize {
    use aws_sdk_dynamodb::types::AttributeValue as Value;
    fn bytes_of(value: &Value) -> usize {
        match value {
            Value::S(text) => text.len(),
            Value::N(number) => number.len().div_ceil(2) + 1,
            Value::B(blob) => blob.as_ref().len(),
            Value::L(values) => 3 + values.iter().map(|value| 1 + bytes_of(value)).sum::<usize>(),
            Value::M(values) => {
                let values = values
                    .iter()
                    .map(|(name, value)| 1 + name.len() + bytes_of(value));
                3 + values.sum::<usize>()
            }
            Value::Ss(texts) | Value::Ns(texts) => texts.iter().map(String::len).sum(),
            _ => 1,
        }
    }
    item.iter()
        .map(|(name, value)| name.len() + bytes_of(value))
        .sum()
}

impl CheckerFixture {
    /// Writes 30 days of answers to 200 prompts by 5 models, and their facts. Returns the texts of the
    /// answers, which all differ.
    async fn write_month(&self) -> BTreeSet<String> {
        let (table, tenant) = (&self.table, &self.tenant);
        let (store, entity) = (&table.store, &self.entity);
        let mut texts = BTreeSet::new();
        let text = "An answer of the usual length names a few brands and says why. ".repeat(36);
        let first = table.now().day();
        for number in 1..=30u32 {
            let check = domain::check_key::CheckKey {
                day: first.plus_days(1 - i32::try_from(number).unwrap()),
                check: number.into(),
            };
            let mut responses = Vec::new();
            for model in 0..5 {
                for prompt in 1..=200u32 {
                    let mut response =
                        answered(prompt, model, &format!("{prompt} {number} {text}"), table.now());
                    response.citations = (0..6)
                        .map(|page| domain::answer::Citation {
                            url: format!("https://site-{}.com/{prompt}/{page}", (prompt * 7 + page) % 900),
                            title: Some("A page about it".to_owned()),
                            ..domain::answer::Citation::default()
                        })
                        .collect();
                    response.queries = (0..3).map(|query| format!("search {prompt} {query}")).collect();
                    response.brands = vec![1.into()];
                    texts.insert(response.text.clone());
                    responses.push(response);
                }
            }
            let facts = facts::families::encode_check(&responses);
            let segments = store.put_facts(tenant, entity, check, facts.buckets(), FactsKind::Final);
            let segments = segments.await.unwrap();
            table.index(tenant, entity, check, segments).await;
            for shard in 0..40u32 {
                let key = ShardKey {
                    check: check.check,
                    shard: shard.into(),
                };
                let (now, owner) = (table.now(), uuid::Uuid::new_v4());
                let lease = store.lease_shard(tenant, entity, key, owner, now, now + MINUTE);
                let lease = lease.await.unwrap();
                let of_shard = responses.iter().skip(shard as usize * 25).take(25);
                let of_shard: Vec<_> = of_shard.cloned().collect();
                for some in of_shard.chunks(10) {
                    assert!(
                        store
                            .record_responses(&lease, check.day, some.to_vec())
                            .await
                            .unwrap()
                    );
                }
            }
        }
        texts
    }
}

/// Measures the erasure of an entity: `cargo test … -- --ignored --nocapture a_month`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it writes 30,000 answers"]
async fn a_month_of_many_answers_is_erased_in_steps() {
    let fixture = CheckerFixture::start(1, default_answer).await;
    let (table, tenant) = (&fixture.table, &fixture.tenant);
    let (store, entity) = (&table.store, &fixture.entity);
    fixture.write_month().await;
    let items = fixture.items_naming(entity.as_str()).await;
    let answers = items
        .keys()
        .filter(|(partition, _)| partition.contains("#R#"))
        .count();
    assert_eq!(answers, 30_000);
    let bytes: usize = items.values().map(charged_bytes).sum();
    let write_units: usize = items
        .values()
        .map(|item| charged_bytes(item).div_ceil(1_024))
        .sum();
    store.delete_entity(tenant, entity).await.unwrap();
    table.faults.take();
    let (started, mut ticks) = (std::time::Instant::now(), 0);
    while store.entity_or_deleted(tenant, entity).await.unwrap().is_some() {
        fixture.tick_and_deliver().await;
        table.advance(ERASURE_REPETITION + SECOND);
        ticks += 1;
    }
    let calls = table.faults.take();
    let count = |operation: &str| calls.iter().filter(|call| call.operation == operation).count();
    fixture.assert_erased(entity.as_str()).await;
    println!(
        "{} items, {bytes} bytes, {write_units} write units; {ticks} passes, {:?}; {} DeleteItem, {} UpdateItem, {} Query",
        items.len(),
        started.elapsed(),
        count("DeleteItem"),
        count("UpdateItem"),
        count("Query"),
    );
}

/// Exports a workspace and returns the lines.
async fn export(fixture: &CheckerFixture) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("export.jsonl");
    let line = format!(
        "--endpoint-url {} --table visibility workspace export --workspace {} --out {}",
        fixture.table.endpoint,
        fixture.tenant.workspace(),
        out.display()
    );
    let settings = Settings::from_lookup(|_| None).unwrap();
    let arguments = Arguments::from_words(line.split(' ')).unwrap();
    admin::run(arguments, &settings, fixture.table.clock.clone())
        .await
        .unwrap();
    let text = std::fs::read_to_string(out).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it writes 30,000 answers"]
async fn a_month_of_a_workspace_is_exported_and_then_erased_although_the_process_is_killed_again_and_again() {
    let fixture = CheckerFixture::start(1, default_answer).await;
    let (table, tenant) = (&fixture.table, &fixture.tenant);
    let store = &table.store;
    let now = table.now();
    let created = store.create_key(tenant, "more", KeySettings::default(), now);
    let (_, key) = created.await.unwrap().unwrap();
    let texts = fixture.write_month().await;

    let started = std::time::Instant::now();
    let lines = export(&fixture).await;
    let exported = started.elapsed();
    let answers: Vec<&Value> = lines.iter().filter(|line| line["type"] == "answer").collect();
    assert_eq!(answers.len(), 30_000);
    let written: BTreeSet<&str> = texts.iter().map(String::as_str).collect();
    let found: BTreeSet<&str> = answers
        .iter()
        .map(|line| line["text"].as_str().unwrap())
        .collect();
    assert!(found == written, "the texts of the answers differ");
    for answer in answers {
        let count = |field: &str| answer[field].as_array().unwrap().len();
        assert_eq!((count("citations"), count("queries"), count("brands")), (6, 3, 1));
    }
    let facts = lines.iter().filter(|line| line["type"] == "facts");
    assert_eq!(facts.count(), 30);

    assert!(store.authenticate(&key, Rate::Read, now).await.is_ok());
    let deleted = store.delete_workspace(tenant).await.unwrap().unwrap();
    assert_eq!(deleted.entities, 1);
    let refused = store.authenticate(&key, Rate::Read, now).await;
    assert!(matches!(refused, Err(AuthError::Deactivated)), "{refused:?}");

    let (started, mut kills, mut passes) = (std::time::Instant::now(), 0, 0);
    while store.delete_workspace(tenant).await.unwrap().is_some() {
        let mut calls = 0;
        table.faults.script(move |_| {
            calls += 1;
            (calls == CALLS_UNTIL_KILLED).then_some(Fault::CrashAfter)
        });
        let crashed = table.faults.crashed();
        let is_killed = tokio::select! {
            () = crashed => true,
            () = fixture.tick_and_deliver() => false,
        };
        table.faults.none();
        table.faults.take();
        if is_killed {
            kills += 1;
            table.advance(MINUTE);
        } else {
            passes += 1;
            table.advance(ERASURE_REPETITION + SECOND);
        }
        assert!(passes < 10, "the erasure does not end");
    }
    let id = tenant.workspace().as_str();
    fixture.assert_erased(id).await;
    let left = fixture.items_naming(id).await;
    assert!(!left.keys().any(|(partition, _)| partition.contains("#R#")));
    assert!(!left.keys().any(|(partition, _)| super::is_of_facts(partition)));
    let refused = store.authenticate(&key, Rate::Read, now).await;
    assert!(matches!(refused, Err(AuthError::Unknown)), "{refused:?}");
    println!(
        "{} lines exported in {exported:?}; erased in {:?} with {kills} kills and {passes} whole ticks; {} items are left, which expire",
        lines.len(),
        started.elapsed(),
        left.len(),
    );
    assert!(kills >= 5, "{kills}");
}
