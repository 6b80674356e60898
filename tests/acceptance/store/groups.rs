//! Domain groups, and what remains of them after a deletion.

use std::collections::{BTreeMap, BTreeSet};

use domain::brand::{BrandUuid, uuid_of_domain};
use domain::group::BrandReference;
use domain::id::EntityId;
use store::{GroupUpdate, NewGroup, Refusal, ReplyRecorder, Resource, Tenant};

use super::table::Table;

/// Records `count` cited domains (`seen0.com`, `seen1.com` and so on) and returns their brands.
pub(crate) async fn seen(table: &Table, tenant: &Tenant, count: usize) -> Vec<BrandUuid> {
    let domains: Vec<String> = (0..count).map(|n| format!("seen{n}.com")).collect();
    let brands = domains.iter().map(|domain| uuid_of_domain(domain)).collect();
    let noted = table
        .store
        .record_cited_domains(tenant, domains.into_iter().collect(), table.now().day());
    noted.await.unwrap();
    brands
}

/// Returns a group of these brands, whose first brand is the primary.
pub(crate) fn new_group(brands: &[BrandUuid], scope: Option<&EntityId>) -> NewGroup {
    NewGroup {
        name: None,
        primary: BrandReference::Brand(brands[0]),
        members: brands.iter().copied().map(BrandReference::Brand).collect(),
        scope: scope.copied().map(BrandReference::Tracking),
    }
}

/// Assigns a number to each brand by putting each pair into a short-lived group. Later groups of these brands
/// then do not conflict over the next number.
pub(super) async fn number(table: &Table, tenant: &Tenant, brands: &[BrandUuid]) {
    for pair in brands.chunks_exact(2) {
        let (new, none) = (new_group(pair, None), ReplyRecorder::disabled());
        let made = table.store.create_group(tenant, &new, &none);
        let id = made.await.unwrap().group.id;
        table.store.delete_group(tenant, &id).await.unwrap();
    }
}

/// Returns an update to these members, whose first brand is the primary.
pub(crate) fn change_to(brands: &[BrandUuid]) -> GroupUpdate {
    let new = new_group(brands, None);
    GroupUpdate {
        name: None,
        primary: Some(new.primary),
        members: Some(new.members),
    }
}

/// Asserts that the groups, brands and counters of a workspace are consistent.
pub(super) async fn consistent(table: &Table, tenant: &Tenant, context: &str) {
    let store = &table.store;
    let workspace = store.workspace(tenant).await.unwrap().unwrap();
    let entities = store.entities(tenant).await.unwrap();
    let groups = store.groups(tenant).await.unwrap();
    let brands = store.brands(tenant).await.unwrap();

    let mut member_of = BTreeMap::new();
    let mut scoped: BTreeMap<&EntityId, usize> = BTreeMap::new();
    for group in &groups {
        assert!((2..=45).contains(&group.members.len()), "{context}");
        assert!(group.members.contains(&group.primary), "{context}");
        for member in &group.members {
            assert!(
                member_of.insert(*member, group).is_none(),
                "in two groups: {context}"
            );
        }
        if let Some(scope) = &group.scope {
            assert!(entities.iter().any(|entity| entity.id == *scope), "{context}");
            *scoped.entry(scope).or_default() += 1 + group.members.len();
        }
    }
    assert!(scoped.values().all(|items| *items <= 50), "{context}");

    let mut numbers = BTreeSet::new();
    let mut used = 0;
    for brand in brands.values() {
        assert!(numbers.insert(brand.ordinal), "a number given twice: {context}");
        let group = member_of.get(&brand.uuid);
        assert_eq!(brand.group.as_ref(), group.map(|group| &group.id), "{context}");
        let counts = !brand.is_tracked() && group.is_some_and(|group| group.primary != brand.uuid);
        assert_eq!(brand.counts_as_used, counts, "{context}");
        let trackings = entities.iter().filter(|entity| entity.brand == brand.uuid);
        let trackings: BTreeSet<&EntityId> = trackings.map(|entity| &entity.id).collect();
        assert_eq!(
            brand.trackings.iter().collect::<BTreeSet<_>>(),
            trackings,
            "{context}"
        );
        used += brand.trackings.len() + usize::from(counts);
    }
    assert!(
        member_of.keys().all(|uuid| brands.contains_key(uuid)),
        "{context}"
    );
    assert_eq!(numbers.len(), workspace.brand_seq.index(), "{context}");
    assert_eq!(workspace.entities_used as usize, used, "{context}");
    assert!(used <= workspace.entities_limit as usize, "{context}");
}

#[tokio::test]
async fn a_brand_leaves_its_group_with_its_last_tracking() {
    let table = Table::start().await;
    let store = &table.store;
    let tenant = table.tenant(0).await;
    let acme = table.entity(&tenant, "acme.com", 1, 1).await;
    let blog = table.entity(&tenant, "blog.acme.com", 1, 1).await;
    let other = table.entity(&tenant, "other.com", 1, 1).await;
    let brands = seen(&table, &tenant, 1).await;
    let new = new_group(&[other.brand, acme.brand, brands[0]], None);
    let made = store
        .create_group(&tenant, &new, &ReplyRecorder::disabled())
        .await;
    let id = made.unwrap().group.id;

    let members = async || {
        let groups = store.groups(&tenant).await.unwrap();
        groups.into_iter().map(|group| group.members).next()
    };
    store.delete_entity(&tenant, &acme.id).await.unwrap();
    assert_eq!(members().await.unwrap(), [other.brand, acme.brand, brands[0]]);
    consistent(&table, &tenant, "one of two trackings").await;
    store.delete_entity(&tenant, &blog.id).await.unwrap();
    assert_eq!(members().await.unwrap(), [other.brand, brands[0]]);
    consistent(&table, &tenant, "the last tracking").await;

    // The brand keeps its domain for ever, and can become a member again without a tracking.
    let back = change_to(&[brands[0], other.brand, acme.brand]);
    store.update_group(&tenant, &id, &back).await.unwrap();
    consistent(&table, &tenant, "back").await;
    store.delete_entity(&tenant, &other.id).await.unwrap();
    assert_eq!(members().await.unwrap(), [brands[0], acme.brand]);
    consistent(&table, &tenant, "the former primary").await;
}

#[tokio::test]
async fn a_group_is_deleted_with_its_scope_and_its_members_no_longer_count() {
    let table = Table::start().await;
    let store = &table.store;
    let tenant = table.tenant(0).await;
    let scope = table.entity(&tenant, "scope.com", 1, 1).await;
    let other = table.entity(&tenant, "other.com", 1, 1).await;
    let brands = seen(&table, &tenant, 5).await;
    for (members, scope) in [
        (vec![brands[0], brands[1]], Some(&scope.id)),
        (vec![brands[2], scope.brand], Some(&scope.id)),
        (vec![brands[3], brands[4]], Some(&other.id)),
    ] {
        let new = new_group(&members, scope);
        store
            .create_group(&tenant, &new, &ReplyRecorder::disabled())
            .await
            .unwrap();
    }
    consistent(&table, &tenant, "before").await;
    store.delete_entity(&tenant, &scope.id).await.unwrap();
    consistent(&table, &tenant, "after").await;
    assert_eq!(store.groups(&tenant).await.unwrap().len(), 1);
    let new = new_group(&brands[..3], Some(&other.id));
    store
        .create_group(&tenant, &new, &ReplyRecorder::disabled())
        .await
        .unwrap();
}

#[tokio::test]
async fn a_check_includes_tracked_brands_and_the_members_of_groups() {
    let table = Table::start().await;
    let store = &table.store;
    let tenant = table.tenant(1_000).await;
    let acme = table.entity(&tenant, "acme.com", 1, 1).await;
    let brands = seen(&table, &tenant, 2).await;
    let known = async || {
        let (check, plan) = table.claimed(&tenant, &acme.id).await;
        let running = store.check(&tenant, &acme.id, check).await.unwrap().unwrap();
        let finish = store::CheckOutcome {
            end: domain::check::EndState::Complete,
            used: 0,
            problems: Vec::new(),
            events: Vec::new(),
            credits_per_day: None,
            alerted_on: None,
        };
        let done = store.finish_check(&tenant, &acme.id, &running, &finish, table.now());
        assert!(done.await.unwrap());
        let named =
            |brand: domain::check::PlanBrand| (brand.ordinal.get(), brand.name, brand.domain.unwrap());
        plan.brands.into_iter().map(named).collect::<Vec<_>>()
    };
    let named = |ordinal, name: &str, domain: &str| (ordinal, name.to_owned(), domain.to_owned());
    let own = named(1, "acme", "acme.com");
    assert_eq!(known().await, std::slice::from_ref(&own));

    let new = new_group(&[acme.brand, brands[1]], None);
    let made = store
        .create_group(&tenant, &new, &ReplyRecorder::disabled())
        .await
        .unwrap();
    let member = named(2, "seen1.com", "seen1.com");
    assert_eq!(known().await, [own.clone(), member]);
    // A tracking gives it a name and keeps its number.
    let tracking = table.entity(&tenant, "seen1.com", 0, 1).await;
    let tracked = named(2, "seen1", "seen1.com");
    assert_eq!(known().await, [own.clone(), tracked]);
    store.delete_entity(&tenant, &tracking.id).await.unwrap();
    assert_eq!(known().await, std::slice::from_ref(&own));
    let deleted = store.delete_group(&tenant, &made.group.id).await;
    assert_eq!(deleted, Err(Refusal::NotFound(Resource::Group).into()));
}
