//! The sample events in `infra/events` have the shape that the functions receive, and the effect that their
//! names state.

use std::collections::BTreeMap;
use std::path::Path;

use acceptance::answer;
use domain::check::CheckState;
use events::BusEvent as _;
use events::CheckEvent;
use serde_json::{Value, json};

use super::fixture::{CheckerFixture, FIRST_CHECK, NO_TIME_LIMIT, default_answer};

/// Returns the samples of the checker, by file name. The notifier has the other one.
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
        .filter(|(name, _)| !name.starts_with("api-") && name != "notifications-due")
        .collect()
}

fn body(sample: &Value) -> &str {
    sample["Records"][0]["body"].as_str().unwrap()
}

impl CheckerFixture {
    /// Returns the sample with the ids of this fixture's entity.
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
        ("fold-due", "FoldDue"),
        ("rereading-due", "RereadingDue"),
        ("shard-ready", "ShardReady"),
    ];
    assert_eq!(kinds, BTreeMap::from(expected));
}

#[tokio::test]
async fn a_sample_of_another_workspace_is_accepted_and_changes_nothing() {
    let fixture = CheckerFixture::start(1, default_answer).await;
    let before = fixture.table.items().await;
    for (name, sample) in samples() {
        if name != "tick" {
            assert_eq!(fixture.deliver(&sample).await, 0, "{name}");
            assert!(fixture.take_published().await.is_empty(), "{name}");
        }
    }
    assert_eq!(fixture.table.items().await, before);
}

#[tokio::test]
async fn the_samples_drive_a_check_from_its_claim_to_the_deletion_of_its_entity() {
    let fixture = CheckerFixture::start(2, |_: &str, _: &str| answer("Acme.", &[], &[])).await;
    let samples = samples();
    let deliver = async |name: &str, check, shard| {
        assert_eq!(
            fixture.deliver(&fixture.own(&samples[name], check, shard)).await,
            0,
            "{name}"
        );
        fixture.take_published().await.len()
    };
    let tick = fixture
        .checker
        .handle(samples["tick"].clone(), NO_TIME_LIMIT)
        .await;
    assert_eq!(tick.unwrap(), Value::Null);
    assert_eq!(
        fixture.take_published().await.len(),
        1,
        "the tick claims what is due"
    );
    assert_eq!(deliver("check-claimed", 1, 0).await, 2, "two shards");
    assert_eq!(deliver("shard-ready", 1, 0).await, 0);
    assert_eq!(deliver("fold-due", 1, 0).await, 0);
    let (store, tenant) = (&fixture.table.store, &fixture.tenant);
    let check = store.check(tenant, &fixture.entity, FIRST_CHECK).await;
    assert!(check.unwrap().unwrap().folded_at.is_some());
    assert_eq!(deliver("shard-ready", 1, 1).await, 1, "the last one says so");
    assert_eq!(fixture.ask_count(), 4);
    assert_eq!(deliver("check-answered", 1, 0).await, 0);
    fixture.audit().await;
    assert_eq!(fixture.check_state().await, CheckState::Complete);

    assert_eq!(
        deliver("check-wanted", 1, 0).await,
        0,
        "there is a check of this number"
    );
    assert_eq!(deliver("check-wanted", 2, 0).await, 1);
    assert_eq!(fixture.read_entity().await.running.unwrap().check.get(), 2);

    let store = &fixture.table.store;
    store
        .delete_entity(&fixture.tenant, &fixture.entity)
        .await
        .unwrap();
    deliver("entity-deleted", 0, 0).await;
    let left = fixture.table.items().await;
    let of_entity = |(pk, _): &&(String, String)| pk.contains(&format!("#E#{}", fixture.entity));
    let has_end = |key: &(String, String)| left[key].contains_key("expiresAt");
    let children: Vec<_> = left.keys().filter(of_entity).collect();
    assert!(!children.is_empty() && children.into_iter().all(has_end));
    assert_eq!(
        fixture.table.credits(&fixture.tenant).await.1,
        0,
        "the check was ended"
    );
}
