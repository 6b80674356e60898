//! `GET /domain-groups`

use acceptance::World;
use serde_json::{Value, json};

use super::{create, entity, list};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn groups_are_listed_by_creation_all_of_them_or_those_that_concern_an_entity() {
    let world = World::start().await;
    let (account, stranger) = (world.account().await, world.account().await);
    let mut ids = Vec::new();
    for n in 0..8 {
        ids.push(entity(&world, &account, &format!("Site {n}"), &format!("site{n}.com")).await);
    }
    let mut groups = Vec::new();
    for (place, scope) in [None, Some(&ids[0]), Some(&ids[2]), None].iter().enumerate() {
        let members = &ids[place * 2..place * 2 + 2];
        let body = json!({"primaryEntity": members[1], "entities": members, "entityId": scope});
        let created = create(&world, &account, body).await.ok();
        groups.push(created["data"].clone());
    }
    let some = |places: &[usize]| -> Vec<Value> { places.iter().map(|p| groups[*p].clone()).collect() };
    assert_eq!(list(&world, &account, "").await, groups);
    for (parameters, name) in [
        ("groupId=", "groupId"),
        ("groupId=&entityId=", "groupId"),
        ("entityId=", "entityId"),
    ] {
        let answer = world.get(&account, &format!("/domain-groups?{parameters}")).await;
        assert_eq!(
            answer.error(400),
            format!("{name} must not be empty"),
            "{parameters}"
        );
    }
    for (entity, places) in [(0, vec![0, 1, 3]), (2, vec![0, 2, 3]), (7, vec![0, 3])] {
        let found = list(&world, &account, &format!("entityId={}", ids[entity])).await;
        assert_eq!(found, some(&places), "{entity}");
    }
    let id = |place: usize| groups[place]["id"].as_str().unwrap();
    assert_eq!(
        list(&world, &account, &format!("groupId={}", id(2))).await,
        some(&[2])
    );
    let both = |group: usize, entity: usize| format!("groupId={}&entityId={}", id(group), ids[entity]);
    assert_eq!(list(&world, &account, &both(1, 0)).await, some(&[1]));
    assert_eq!(list(&world, &account, &both(1, 2)).await, some(&[]));

    for (parameters, what) in [
        ("groupId=0000000000000000".to_owned(), "Domain group"),
        ("groupId=x".to_owned(), "Domain group"),
        ("groupId=%00".to_owned(), "Domain group"),
        ("entityId=0000000000000000".to_owned(), "Entity"),
        ("entityId=x".to_owned(), "Entity"),
    ] {
        let answer = world.get(&account, &format!("/domain-groups?{parameters}")).await;
        assert_eq!(answer.error(404), format!("{what} not found"), "{parameters}");
    }
    for parameters in [format!("groupId={}", id(0)), format!("entityId={}", ids[0])] {
        let answer = world
            .get(&stranger, &format!("/domain-groups?{parameters}"))
            .await;
        assert_eq!(answer.status, 404, "{parameters}");
    }
    assert!(list(&world, &stranger, "").await.is_empty());
}
