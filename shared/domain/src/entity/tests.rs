use proptest::prelude::*;

use super::*;
use crate::catalogue::{Catalogue, Model};
use crate::id::WorkspaceId;
use crate::target::Target;
use crate::time::HOUR;

const NOW: Timestamp = Timestamp::from_millis(1_773_144_000_000);

fn entity(target: &Target, name: &str) -> Entity {
    let workspace = WorkspaceId::from_random(Uuid::from_u128(1));
    Entity {
        id: EntityId::from_random(Uuid::from_u128(2)),
        brand: target.brand_uuid(&workspace, name),
        brand_ordinal: 1.into(),
        name: name.to_owned(),
        target: target.as_str().to_owned(),
        target_type: target.target_type(),
        domain: target.registrable().map(str::to_owned),
        favicon_url: target.favicon_url(),
        description: "Tools".to_owned(),
        language: Language::default(),
        geolocation: Geolocation::default(),
        tracking_type: TrackingType::Website,
        aliases: Vec::new(),
        models: vec![model(1)],
        model_ordinals: vec![model(1)],
        is_active: true,
        frequency_hours: 24,
        created_at: NOW,
        prompt_seq: 1.into(),
        prompts: 1,
        check_seq: 1.into(),
        next_check_at: Some(NOW + 20 * HOUR),
        running: None,
        last_check: None,
        claimed_on: None,
        problems: Vec::new(),
        active_actionables: 0,
        last_alert: None,
        last_name_request: None,
        revision: 7,
        deleted_at: None,
        erase_again_at: None,
    }
}

fn site(domain: &str) -> Entity {
    entity(&Target::parse_domain("domain", domain).unwrap(), "Acme")
}

fn person(name: &str) -> Entity {
    entity(&Target::individual("name", name).unwrap(), name)
}

/// Returns a catalogue with the models 1 and 2.
fn catalogue() -> Catalogue {
    let model = |id: u32| {
        format!(r#"{{"id":"{id}","provider":"openai","model":"m","name":"m","description":"","credits":1}}"#)
    };
    Catalogue::from_json(&format!("[{},{}]", model(1), model(2))).unwrap()
}

/// Returns the UUID of a model. The catalogue contains the models 1 and 2.
fn model(n: usize) -> Uuid {
    let known = catalogue().models().get(n - 1).map(Model::uuid);
    known.unwrap_or_else(|| Uuid::from_u128(n as u128))
}

fn changed(entity: &Entity, change: &EntityUpdate) -> Entity {
    entity.with_update(change, &catalogue(), NOW).unwrap()
}

fn retargeted(entity: &Entity, target: &str) -> Result<Entity, String> {
    let change = EntityUpdate {
        target: Some(Target::parse_domain("target", target).unwrap()),
        ..EntityUpdate::default()
    };
    let changed = entity.with_update(&change, &catalogue(), NOW);
    changed.map_err(|invalid| invalid.to_string())
}

fn every(hours: u32) -> EntityUpdate {
    EntityUpdate {
        frequency_hours: Some(hours),
        ..EntityUpdate::default()
    }
}

fn active(is_active: bool) -> EntityUpdate {
    EntityUpdate {
        is_active: Some(is_active),
        ..EntityUpdate::default()
    }
}

fn with_models(models: &[usize]) -> EntityUpdate {
    EntityUpdate {
        models: Some(models.iter().map(|n| model(*n)).collect()),
        ..EntityUpdate::default()
    }
}

#[test]
fn only_the_fields_of_an_update_change() {
    let before = site("acme.com");
    assert_eq!(changed(&before, &EntityUpdate::default()), before);
    let change = EntityUpdate {
        description: Some(String::new()),
        language: Some(Language::parse("language", "de").unwrap()),
        geolocation: Some(Geolocation::parse("geolocation", "at").unwrap()),
        ..EntityUpdate::default()
    };
    let expected = Entity {
        description: String::new(),
        language: Language::parse("language", "de").unwrap(),
        geolocation: Geolocation::parse("geolocation", "at").unwrap(),
        ..before.clone()
    };
    assert_eq!(changed(&before, &change), expected);
}

#[test]
fn a_target_moves_within_its_registrable_domain_and_type_and_favicon_follow() {
    let moved = retargeted(&site("acme.co.uk"), "https://shop.acme.co.uk/A/").unwrap();
    assert_eq!(
        (moved.target.as_str(), moved.target_type),
        ("shop.acme.co.uk/A", TargetType::Url)
    );
    assert_eq!(
        moved.favicon_url.as_deref(),
        Some("https://shop.acme.co.uk/favicon.ico")
    );
    assert_eq!(moved.brand, site("acme.co.uk").brand);
    let back = retargeted(&moved, "www.acme.co.uk").unwrap();
    assert_eq!(back, site("acme.co.uk"));
    for other in ["other.co.uk", "acme.com", "acme.co.uk.com"] {
        let refused = retargeted(&site("acme.co.uk"), other).unwrap_err();
        assert_eq!(refused, "target must stay within acme.co.uk", "{other}");
    }
}

#[test]
fn an_individual_stays_one_and_its_target_cannot_change_without_a_domain() {
    let page = Target::parse_domain("domain", "doe.example")
        .unwrap()
        .into_individual();
    let moved = retargeted(&entity(&page, "Jane"), "doe.example/jane").unwrap();
    assert_eq!(
        (moved.target.as_str(), moved.target_type),
        ("doe.example/jane", TargetType::Individual)
    );
    let refused = retargeted(&person("Jane Doe"), "jane.example").unwrap_err();
    assert!(refused.starts_with("target cannot change"), "{refused}");
}

#[test]
fn an_update_replaces_all_aliases_and_leaves_out_the_name() {
    let mut before = site("acme.com");
    before.aliases = vec!["Old".to_owned()];
    let change = EntityUpdate {
        aliases: Some(vec!["Acme Inc".to_owned(), "ACME".to_owned(), "AI".to_owned()]),
        ..EntityUpdate::default()
    };
    assert_eq!(changed(&before, &change).aliases, ["Acme Inc", "AI"]);
}

#[test]
fn the_ordinal_of_a_model_never_changes() {
    let first = changed(&site("acme.com"), &with_models(&[2]));
    let again = changed(&first, &with_models(&[2, 1]));
    assert_eq!(first.models, [model(2)]);
    assert_eq!(again.models, [model(2), model(1)]);
    assert_eq!(again.model_ordinals, [model(1), model(2)]);
    assert_eq!(first.next_check_at, site("acme.com").next_check_at);
}

#[test]
fn the_first_model_that_can_be_asked_makes_an_active_entity_due() {
    let mut before = site("acme.com");
    before.models = vec![model(9)];
    assert_eq!(changed(&before, &with_models(&[9, 2])).next_check_at, Some(NOW));
    assert_eq!(
        changed(&before, &with_models(&[8])).next_check_at,
        before.next_check_at
    );
    (before.is_active, before.next_check_at) = (false, None);
    assert_eq!(changed(&before, &with_models(&[2])).next_check_at, None);
}

#[test]
fn an_inactive_entity_has_no_slot_and_a_reactivated_one_is_due() {
    let before = site("acme.com");
    assert_eq!(changed(&before, &active(true)), before);
    let paused = changed(&before, &active(false));
    assert_eq!((paused.is_active, paused.next_check_at), (false, None));
    assert_eq!(changed(&paused, &active(false)), paused);
    let resumed = changed(&paused, &active(true));
    assert_eq!((resumed.is_active, resumed.next_check_at), (true, Some(NOW)));
}

#[test]
fn a_changed_frequency_counts_from_the_last_slot_but_not_before_now() {
    // The last slot was four hours ago.
    let before = site("acme.com");
    let next = |hours: u32| changed(&before, &every(hours)).next_check_at;
    assert_eq!(next(24), before.next_check_at);
    assert_eq!(next(720), Some(NOW + 716 * HOUR));
    assert_eq!(next(5), Some(NOW + HOUR));
    assert_eq!(next(4), Some(NOW));
    assert_eq!(next(1), Some(NOW));
    let back = changed(&changed(&before, &every(720)), &every(24));
    assert_eq!(back, before);
}

#[test]
fn the_next_slot_lies_on_the_grid_and_in_the_future() {
    let slot = Timestamp::from_millis(1_000);
    let next = |hours: u32, now: Timestamp| changed(&site("acme.com"), &every(hours)).slot_after(slot, now);
    assert_eq!(next(24, slot), slot + 24 * HOUR);
    assert_eq!(next(24, slot + 24 * HOUR), slot + 48 * HOUR);
    assert_eq!(next(24, slot + 71 * HOUR), slot + 72 * HOUR);
    assert_eq!(next(1, Timestamp::from_millis(0)), slot + HOUR);
}

#[test]
fn a_due_entity_stays_due_when_its_frequency_changes() {
    let mut before = site("acme.com");
    before.next_check_at = Some(NOW - HOUR);
    let after = changed(&before, &every(720));
    assert_eq!(
        (after.next_check_at, after.frequency_hours),
        (before.next_check_at, 720)
    );
}

#[test]
fn a_renamed_entity_keeps_its_old_name_as_an_alias() {
    let mut before = site("acme.com");
    before.aliases = vec!["AI".to_owned(), "Nimbra".to_owned()];
    let after = before.renamed("NIMBRA", None).unwrap();
    assert_eq!(
        (after.name.as_str(), after.aliases.as_slice()),
        ("NIMBRA", ["AI", "Acme"].map(str::to_owned).as_slice())
    );
    assert_eq!((&after.target, after.brand), (&before.target, before.brand));
    let back = after.renamed("Acme", None).unwrap();
    assert_eq!(back.aliases, ["AI", "NIMBRA"]);
    // Another spelling of an equal name does not become an alias.
    assert_eq!(site("acme.com").renamed("ACME", None).unwrap().aliases, [""; 0]);
}

#[test]
fn the_target_of_an_individual_without_a_domain_is_its_name() {
    let after = person("Jane Doe").renamed("Jane Roe", None).unwrap();
    assert_eq!(
        (after.target.as_str(), after.target_type),
        ("Jane Roe", TargetType::Individual)
    );
    assert_eq!(after.brand, person("Jane Doe").brand);
    assert_eq!(after.parse_stored_target().unwrap().uniqueness_key(), "@jane roe");
}

prop_compose! {
    fn any_change()(
        hours in proptest::option::of(1..=720u32),
        is_active in proptest::option::of(any::<bool>()),
        models in proptest::option::of(proptest::sample::subsequence(vec![1, 2, 8, 9], 1..=4)),
    ) -> EntityUpdate {
        EntityUpdate { frequency_hours: hours, is_active, ..with_models_if(models.as_deref()) }
    }
}

fn with_models_if(models: Option<&[usize]>) -> EntityUpdate {
    models.map_or_else(EntityUpdate::default, with_models)
}

proptest! {
    #[test]
    fn after_any_updates_an_active_entity_has_a_slot_and_an_inactive_one_none(
        changes in proptest::collection::vec((any_change(), 0..100u32), 0..12),
    ) {
        let (mut entity, mut now) = (site("acme.com"), NOW);
        for (change, hours) in changes {
            now = now + hours * HOUR;
            let was_due = entity.next_check_at.is_some_and(|slot| slot <= now);
            let before = entity.clone();
            entity = entity.with_update(&change, &catalogue(), now).unwrap();
            prop_assert_eq!(entity.next_check_at.is_some(), entity.is_active);
            if let Some(slot) = entity.next_check_at {
                prop_assert!(slot <= now + entity.check_interval());
                prop_assert!(!was_due || slot <= now, "what is due stays due");
            }
            prop_assert!(entity.model_ordinals.starts_with(&before.model_ordinals));
            prop_assert!(entity.models.iter().all(|m| entity.model_ordinals.contains(m)));
            // The same update has no further effect.
            prop_assert_eq!(&entity.with_update(&change, &catalogue(), now).unwrap(), &entity);
        }
    }
}

#[test]
fn a_rename_with_aliases_replaces_all_of_them() {
    let mut before = site("acme.com");
    before.aliases = vec!["Old".to_owned()];
    let aliases = ["Nimbra Inc".to_owned(), "NIMBRA".to_owned()];
    let after = before.renamed("Nimbra", Some(&aliases)).unwrap();
    assert_eq!(
        (after.name.as_str(), after.aliases),
        ("Nimbra", vec!["Nimbra Inc".to_owned()])
    );
}

#[test]
fn a_name_of_another_brand_is_found_in_any_case_and_names_of_one_site_are_shared() {
    let mut rival = entity(
        &Target::parse_domain("domain", "xn--mnchen-3ya.de").unwrap(),
        "Zorblat",
    );
    rival.aliases = vec!["Straße".to_owned()];
    let others = [rival];
    let taken = |name: &str| {
        let mut own = site("acme.com");
        own.aliases = vec!["Free".to_owned(), name.to_owned()];
        own.name_of_another_brand(Some(&site("acme.com")), &others)
            .map(str::to_owned)
    };
    for name in [
        "Zorblat",
        "ZORBLAT",
        " zorblat",
        "strasse",
        "MÜNCHEN.de",
        "xn--mnchen-3ya.de",
    ] {
        assert_eq!(taken(name).as_deref(), Some(name));
    }
    for name in ["Zorblat Inc", "Zor", "Acme"] {
        assert_eq!(taken(name), None, "{name}");
    }
    let shop = entity(
        &Target::parse_domain("domain", "xn--mnchen-3ya.de/shop").unwrap(),
        "zorblat",
    );
    assert_eq!(
        shop.name_of_another_brand(None, &others),
        None,
        "another tracking of the site"
    );
    let created = entity(&Target::parse_domain("domain", "other.com").unwrap(), "zorblat");
    assert_eq!(created.name_of_another_brand(None, &others), Some("zorblat"));
    assert_eq!(
        created.name_of_another_brand(Some(&created), &others),
        None,
        "it had the name before"
    );
}
