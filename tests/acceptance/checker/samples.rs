//! The sample events in `infra/events`: each is what its function gets, and does what it says.

use std::collections::BTreeMap;
use std::path::Path;

use acceptance::answer;
use domain::check::CheckState;
use events::CheckEvent;
use serde_json::{Value, json};

use super::bench::{Bench, NEVER, plain};

/// The checker's samples, by file name.
fn samples() -> BTreeMap<String, Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../infra/events");
    let files = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path());
    files
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (
                name,
                serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap(),
            )
        })
        .filter(|(name, _)| !name.starts_with("api-"))
        .collect()
}

fn body(sample: &Value) -> &str {
    sample["Records"][0]["body"].as_str().unwrap()
}

impl Bench {
    /// The sample as an event of this bench's entity.
    fn own(&self, sample: &Value, check: u32, shard: u32) -> Value {
        let mut envelope: Value = serde_json::from_str(body(sample)).unwrap();
        let detail = &mut envelope["detail"];
        detail["workspaceId"] = json!(self.tenant.workspace());
        detail["entityId"] = json!(self.entity);
        for (name, number) in [("check", check), ("shard", shard)] {
            if let Some(field) = detail.get_mut(name) {
                *field = number.into();
            }
        }
        let mut own = sample.clone();
        own["Records"][0]["body"] = envelope.to_string().into();
        own
    }
}

#[test]
fn there_is_a_sample_of_every_event() {
    let samples = samples();
    let kinds: BTreeMap<&str, &str> = samples
        .iter()
        .filter(|(name, _)| *name != "tick")
        .map(|(name, sample)| {
            let event = CheckEvent::from_envelope(body(sample)).unwrap();
            let envelope: Value = serde_json::from_str(body(sample)).unwrap();
            let detail: Value = serde_json::from_str(&event.detail().unwrap()).unwrap();
            assert_eq!(envelope["detail"], detail, "{name} is as it is published");
            (name.as_str(), event.detail_type())
        })
        .collect();
    let expected = [
        ("check-answered", "CheckAnswered"),
        ("check-claimed", "CheckClaimed"),
        ("check-wanted", "CheckWanted"),
        ("entity-deleted", "EntityDeleted"),
        ("shard-ready", "ShardReady"),
    ];
    assert_eq!(kinds, BTreeMap::from(expected));
}

#[tokio::test]
async fn a_sample_of_somebody_elses_is_taken_and_changes_nothing() {
    let bench = Bench::start(1, plain).await;
    let before = bench.table.items().await;
    for (name, sample) in samples() {
        if name != "tick" {
            assert_eq!(bench.deliver(&sample).await, 0, "{name}");
            assert!(bench.published().await.is_empty(), "{name}");
        }
    }
    assert_eq!(bench.table.items().await, before);
}

#[tokio::test]
async fn the_samples_drive_a_check_from_its_claim_to_the_deletion_of_its_entity() {
    let bench = Bench::start(2, |_: &str, _: &str| answer("Acme.", &[], &[])).await;
    let samples = samples();
    let deliver = async |name: &str, check, shard| {
        assert_eq!(
            bench.deliver(&bench.own(&samples[name], check, shard)).await,
            0,
            "{name}"
        );
        bench.published().await.len()
    };
    let tick = bench.checker.handle(samples["tick"].clone(), NEVER).await;
    assert_eq!(tick.unwrap(), Value::Null);
    assert_eq!(bench.published().await.len(), 1, "the tick claims what is due");
    assert_eq!(deliver("check-claimed", 1, 0).await, 2, "two shards");
    assert_eq!(deliver("shard-ready", 1, 0).await, 0);
    assert_eq!(deliver("shard-ready", 1, 1).await, 1, "the last one says so");
    assert_eq!(bench.asked_in_all(), 4);
    assert_eq!(deliver("check-answered", 1, 0).await, 0);
    bench.audit().await;
    assert_eq!(bench.check_state().await, CheckState::Complete);

    assert_eq!(
        deliver("check-wanted", 1, 0).await,
        0,
        "there is a check of this number"
    );
    assert_eq!(deliver("check-wanted", 2, 0).await, 1);
    assert_eq!(bench.seen().await.running.unwrap().check, 2);

    let store = &bench.table.store;
    store.delete_entity(&bench.tenant, &bench.entity).await.unwrap();
    deliver("entity-deleted", 0, 0).await;
    let left = bench.table.items().await;
    let of_entity = |(pk, _): &&(String, String)| pk.contains(&format!("#E#{}", bench.entity));
    let has_end = |key: &(String, String)| left[key].contains_key("expiresAt");
    let children: Vec<_> = left.keys().filter(of_entity).collect();
    assert!(!children.is_empty() && children.into_iter().all(has_end));
    assert_eq!(
        bench.table.credits(&bench.tenant).await.1,
        0,
        "the check was ended"
    );
}
