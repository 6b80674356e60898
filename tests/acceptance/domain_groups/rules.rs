//! The rules of groups: membership, and what counts towards the entity limit.

use acceptance::World;
use serde_json::json;
use store::WorkspaceUpdate;

use super::{change, cited, create, delete, entity, group, limited, list, used};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_primary_must_be_a_member() {
    let world = World::start().await;
    let account = world.account().await;
    let acme = entity(&world, &account, "Acme", "acme.com").await;
    let other = entity(&world, &account, "Other", "other.com").await;
    let third = entity(&world, &account, "Third", "third.com").await;
    let body = json!({"primaryEntity": third, "entities": [acme, other]});
    let rule = "primaryEntity must be one of entities";
    assert_eq!(create(&world, &account, body).await.error(400), rule);

    let id = group(&world, &account, &[&acme, &other]).await;
    for body in [
        json!({"groupId": id, "primaryEntity": third}),
        json!({"groupId": id, "entities": [other, third]}),
        json!({"groupId": id, "primaryEntity": acme, "entities": [other, third]}),
    ] {
        assert_eq!(change(&world, &account, body).await.error(400), rule);
    }
    let unknown = json!({"groupId": id, "primaryEntity": "0000000000000000"});
    assert_eq!(
        change(&world, &account, unknown).await.error(404),
        "Entity not found: primaryEntity"
    );
    let unknown = json!({"groupId": id, "entities": [acme, other, "0000000000000000"]});
    assert_eq!(
        change(&world, &account, unknown).await.error(404),
        "Entity not found: entities[2]"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_entity_is_in_at_most_one_group() {
    let world = World::start().await;
    let account = world.account().await;
    let mut ids = Vec::new();
    for n in 0..5 {
        ids.push(entity(&world, &account, &format!("Site {n}"), &format!("site{n}.com")).await);
    }
    let first = group(&world, &account, &[&ids[0], &ids[1]]).await;
    let second = group(&world, &account, &[&ids[2], &ids[3]]).await;
    let before = list(&world, &account, "").await;

    let body = json!({"primaryEntity": ids[4], "entities": [ids[4], ids[4], ids[1]]});
    let error = create(&world, &account, body).await.error(409);
    assert_eq!(error, "entities[2] is a member of another domain group");
    let body = json!({"groupId": second, "entities": [ids[2], ids[0]]});
    let error = change(&world, &account, body).await.error(409);
    assert_eq!(error, "entities[1] is a member of another domain group");
    // A scope does not allow a second group.
    let body = json!({"primaryEntity": ids[4], "entities": [ids[4], ids[1]], "entityId": ids[4]});
    assert_eq!(create(&world, &account, body).await.status, 409);
    assert_eq!(list(&world, &account, "").await, before);

    // A member that leaves its group, or whose group is deleted, can join another.
    let body = json!({"groupId": second, "entities": [ids[2], ids[4]]});
    change(&world, &account, body).await.ok();
    delete(&world, &account, &first).await.ok();
    group(&world, &account, &[&ids[3], &ids[1], &ids[0]]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn untracked_members_count_towards_the_entity_limit_except_the_primary() {
    let world = World::start().await;
    let account = limited(&world, 4).await;
    let acme = entity(&world, &account, "Acme", "acme.com").await;
    let seen = cited(&world, &account, &["one.com", "two.com", "three.com", "four.com"]).await;
    let all = json!([seen[0], seen[1], seen[2], seen[3], acme]);
    let body = json!({"primaryEntity": acme, "entities": all});
    let limit = "The workspace's limit of 4 entities would be exceeded";
    assert_eq!(create(&world, &account, body).await.error(403), limit);
    assert_eq!(used(&world, &account).await, 1);

    // An untracked primary does not count.
    let body = json!({"primaryEntity": seen[0], "entities": all});
    let made = create(&world, &account, body).await.ok()["data"].clone();
    let id = &made["id"];
    assert_eq!(used(&world, &account).await, 4);
    let model = world.model(&account).await;
    let new = json!({"name": "New", "domain": "new.com", "models": [model], "prompts": []});
    assert_eq!(world.post(&account, "/entities", &new).await.status, 403);

    // With another primary, the former one counts and exceeds the limit.
    let body = json!({"groupId": id, "primaryEntity": acme});
    assert_eq!(change(&world, &account, body).await.error(403), limit);
    // Changing from one untracked primary to another adds nothing.
    let body = json!({"groupId": id, "primaryEntity": seen[1]});
    change(&world, &account, body).await.ok();
    assert_eq!(used(&world, &account).await, 4);

    // Tracking a member that already counts uses no additional entity. Tracking the primary does.
    entity(&world, &account, "Three", "three.com").await;
    assert_eq!(used(&world, &account).await, 4);
    let new = json!({"name": "Two", "domain": "two.com", "models": [model], "prompts": []});
    assert_eq!(world.post(&account, "/entities", &new).await.status, 403);

    let body = json!({"groupId": id, "entities": [seen[1], seen[2]]});
    change(&world, &account, body).await.ok();
    assert_eq!(used(&world, &account).await, 2);
    delete(&world, &account, id.as_str().unwrap()).await.ok();
    assert_eq!(used(&world, &account).await, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_workspace_above_its_limit_can_still_make_its_groups_smaller() {
    let world = World::start().await;
    let account = limited(&world, 5).await;
    let acme = entity(&world, &account, "Acme", "acme.com").await;
    let seen = cited(&world, &account, &["one.com", "two.com"]).await;
    let id = group(&world, &account, &[&acme, &seen[0], &seen[1]]).await;
    let lower = WorkspaceUpdate {
        entities: Some(1),
        ..WorkspaceUpdate::default()
    };
    let store = &world.host.store;
    assert!(store.update_workspace(&account.tenant, lower).await.unwrap());
    change(&world, &account, json!({"groupId": id, "name": "Renamed"}))
        .await
        .ok();
    let swapped = json!({"groupId": id, "entities": [acme, seen[1]]});
    change(&world, &account, swapped).await.ok();
    let grown = json!({"groupId": id, "entities": [acme, seen[1], seen[0]]});
    assert_eq!(change(&world, &account, grown).await.status, 403);
    delete(&world, &account, &id).await.ok();
    assert_eq!(used(&world, &account).await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_groups_of_one_scope_and_their_members_are_at_most_50() {
    let world = World::start().await;
    let account = limited(&world, 200).await;
    let acme = entity(&world, &account, "Acme", "acme.com").await;
    let other = entity(&world, &account, "Other", "other.com").await;
    let domains: Vec<String> = (0..60).map(|n| format!("site{n}.com")).collect();
    let domains: Vec<&str> = domains.iter().map(String::as_str).collect();
    let seen = cited(&world, &account, &domains).await;
    let scoped = |members: &[String], scope: &str| json!({"primaryEntity": members[0], "entities": members, "entityId": scope});

    create(&world, &account, scoped(&seen[..45], &acme)).await.ok();
    let body = scoped(&seen[45..49], &acme);
    let rule = "The domain groups of one entity may be at most 50 groups and members together";
    assert_eq!(create(&world, &account, body).await.error(403), rule);
    let small = create(&world, &account, scoped(&seen[45..48], &acme)).await.ok()["data"].clone();
    let grown = json!({"groupId": small["id"], "entities": seen[45..49]});
    assert_eq!(change(&world, &account, grown).await.error(403), rule);
    let swapped = json!({"groupId": small["id"], "entities": [seen[45], seen[47], seen[48]]});
    change(&world, &account, swapped).await.ok();
    // Each scope has its own limit, and groups without a scope have none.
    create(&world, &account, scoped(&seen[49..53], &other)).await.ok();
    let body = json!({"primaryEntity": seen[53], "entities": seen[53..56]});
    create(&world, &account, body).await.ok();
    assert_eq!(list(&world, &account, "").await.len(), 4);
}
