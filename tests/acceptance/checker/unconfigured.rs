//! Slots of models without a configured provider pass, and `tracking-status` shows it.

use acceptance::{FakeOpenAi, World, answer};
use domain::catalogue::Catalogue;
use domain::time::HOUR;
use serde_json::{Value, json};
use store::ReplyRecorder;
use uuid::Uuid;

use super::fixture::{CheckerFixture, default_answer};
use crate::store::table::{NOON, catalogue, new_entity};

#[tokio::test]
async fn a_tick_without_a_configured_provider_skips_the_slot_and_the_next_tick_with_one_starts_a_check() {
    let mut fixture = CheckerFixture::start(2, default_answer).await;
    fixture.checker.catalogue = catalogue().for_providers([]).into();
    for hours in [24, 48] {
        // The second tick of a slot finds nothing due.
        for _ in 0..2 {
            fixture.tick().await;
            assert!(fixture.take_published().await.is_empty());
            let seen = fixture.read_entity().await;
            assert_eq!(seen.next_check_at, Some(NOON + hours * HOUR));
            assert_eq!(seen.problems.len(), 1);
        }
        fixture.table.advance(24 * HOUR);
    }
    fixture.checker.catalogue = catalogue().into();
    fixture.tick().await;
    assert_eq!(fixture.take_published().await.len(), 1);
    let seen = fixture.read_entity().await;
    assert_eq!(seen.running.map(|running| running.check.get()), Some(1));
    assert!(seen.problems.is_empty());
    assert_eq!(seen.next_check_at, Some(NOON + 72 * HOUR));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_status_of_an_entity_without_a_configured_model_shows_no_next_check() {
    let provider = FakeOpenAi::start(|_| answer("Acme.", &[], &[])).await;
    let world = World::asking(&provider).await;
    let account = world.account().await;
    let shipped = Catalogue::shipped().unwrap();
    let of = |wanted: bool| -> Vec<Uuid> {
        let is_wanted = |provider: &str| (provider == "openai") == wanted;
        let models = shipped.models().iter().filter(|m| is_wanted(&m.provider));
        models.map(domain::catalogue::Model::uuid).take(1).collect()
    };
    let store = &world.host.store;
    let status = async |domain: &str, models: &[Uuid]| -> Value {
        let new = new_entity(&account.tenant, domain, 1, models);
        let created = store
            .create_entity(&account.tenant, &new, None, &ReplyRecorder::disabled())
            .await;
        let id = created.unwrap().entity.id;
        let path = format!("/entities/tracking-status?entityId={id}");
        world.get(&account, &path).await.ok()["data"].clone()
    };
    let without = status("a.com", &of(false)).await;
    assert_eq!(without["scheduled"], false);
    assert_eq!(without["nextCheckScheduledAt"], Value::Null);
    let with = status("b.com", &of(true)).await;
    assert_eq!(with["scheduled"], true);
    assert!(with["nextCheckScheduledAt"].is_string());
    let both = status("c.com", &[of(false), of(true)].concat()).await;
    assert_eq!(both["scheduled"], json!(true));
}
