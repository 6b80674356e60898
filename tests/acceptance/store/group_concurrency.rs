//! Under concurrency, each brand is in at most one group and the counters stay correct.

use domain::brand::BrandUuid;
use domain::workspace::Limits;
use futures::future::join_all;
use store::{CreateEntityError, GroupError, Refusal, ReplyRecorder, Resource, Tenant};

use super::groups::{consistent, new_group, number, seen};
use super::table::{Table, models, new_entity, no_limits, refused};

/// Creates a workspace with entities and eight more cited brands.
async fn market(entities: u32) -> (Table, Tenant, Vec<BrandUuid>) {
    let table = Table::start().await;
    let limits = Limits {
        entities,
        ..no_limits()
    };
    let (tenant, _) = table.workspace(limits, 0).await;
    let mut brands = Vec::new();
    for n in 0..3 {
        brands.push(table.entity(&tenant, &format!("site{n}.com"), 1, 1).await.brand);
    }
    brands.extend(seen(&table, &tenant, 8).await);
    (table, tenant, brands)
}

#[tokio::test]
async fn the_last_place_goes_either_to_a_member_or_to_a_tracking() {
    for seed in 0..5 {
        let (table, tenant, brands) = market(4).await;
        number(&table, &tenant, &brands[3..]).await;
        let none = ReplyRecorder::disabled();
        let new: Vec<_> = (0..3)
            .map(|n| new_group(&[brands[n], brands[3 + n]], None))
            .collect();
        let entity = new_entity(&tenant, "new.com", 1, &models(1));
        let groups = join_all(
            new.iter()
                .map(|new| table.store.create_group(&tenant, new, &none)),
        );
        let none_created = ReplyRecorder::disabled();
        let tracking = table.store.create_entity(&tenant, &entity, None, &none_created);
        let (groups, tracking) = tokio::join!(groups, tracking);
        let (groups, tracking): (Vec<_>, _) = (groups.into_iter().map(refused).collect(), refused(tracking));
        let taken = groups.iter().filter(|g| g.is_ok()).count() + usize::from(tracking.is_ok());
        assert_eq!(taken, 1, "seed {seed}");
        let limit = GroupError::EntityLimit { limit: 4 };
        assert!(
            groups
                .iter()
                .filter_map(|g| g.as_ref().err())
                .all(|r| *r == limit)
        );
        let limit = CreateEntityError::EntityLimit { limit: 4 };
        assert!(tracking.as_ref().err().is_none_or(|r| *r == limit));
        consistent(&table, &tenant, "").await;
    }
}

#[tokio::test]
async fn a_tracking_of_a_member_that_already_counts_takes_no_second_place() {
    let (table, tenant, brands) = market(5).await;
    let none = ReplyRecorder::disabled();
    let new = new_group(&[brands[0], brands[3], brands[4]], None);
    table.store.create_group(&tenant, &new, &none).await.unwrap();
    // Both members become tracked at the same time while the quota is used up.
    let none_created = ReplyRecorder::disabled();
    let entities: Vec<_> = ["seen0.com", "seen1.com", "shop.seen1.com"]
        .iter()
        .map(|domain| new_entity(&tenant, domain, 1, &models(1)))
        .collect();
    let created = entities
        .iter()
        .map(|new| table.store.create_entity(&tenant, new, None, &none_created));
    let results: Vec<_> = join_all(created).await.into_iter().map(refused).collect();
    assert!(results[0].is_ok());
    assert_eq!(results.iter().filter(|r| r.is_ok()).count(), 2);
    consistent(&table, &tenant, "").await;
}

#[tokio::test]
async fn a_group_never_outlives_a_scope_that_is_deleted_concurrently() {
    for seed in 0..10 {
        let (table, tenant, brands) = market(1_000).await;
        let entities = table.store.entities(&tenant).await.unwrap();
        let (scope, none) = (&entities[0].id, ReplyRecorder::disabled());
        let new: Vec<_> = (3..9)
            .step_by(2)
            .map(|n| new_group(&brands[n..n + 2], Some(scope)))
            .collect();
        let groups = join_all(
            new.iter()
                .map(|new| table.store.create_group(&tenant, new, &none)),
        );
        let (groups, deleted) = tokio::join!(groups, table.store.delete_entity(&tenant, scope));
        assert_eq!(deleted, Ok(()));
        for group in groups {
            let refusal = refused(group).err();
            let unknown = Refusal::NotFoundAt(Resource::Entity, "entityId".to_owned());
            assert!(refusal.is_none_or(|r| r == unknown.into()));
        }
        assert!(
            table.store.groups(&tenant).await.unwrap().is_empty(),
            "seed {seed}"
        );
        consistent(&table, &tenant, &format!("seed {seed}")).await;
    }
}

#[tokio::test]
async fn the_limit_of_a_scope_holds_however_many_groups_are_created_at_once() {
    let table = Table::start().await;
    let tenant = table.tenant(0).await;
    let scope = table.entity(&tenant, "scope.com", 1, 1).await.id;
    let brands = seen(&table, &tenant, 60).await;
    number(&table, &tenant, &brands).await;
    // A group of 12 members has 13 items, so three groups fit.
    let new: Vec<_> = brands
        .chunks(12)
        .map(|brands| new_group(brands, Some(&scope)))
        .collect();
    let none = ReplyRecorder::disabled();
    let creations = new
        .iter()
        .map(|new| table.store.create_group(&tenant, new, &none));
    let results: Vec<_> = join_all(creations).await.into_iter().map(refused).collect();
    assert_eq!(results.iter().filter(|r| r.is_ok()).count(), 3);
    let limit = GroupError::ScopeLimit { limit: 50 };
    assert!(
        results
            .iter()
            .filter_map(|r| r.as_ref().err())
            .all(|r| *r == limit)
    );
    consistent(&table, &tenant, "").await;
}
