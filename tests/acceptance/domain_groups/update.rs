//! `PATCH` and `DELETE /domain-groups`.

use acceptance::World;
use domain::clock::Clock;
use serde_json::{Value, json};

use super::{change, cited, create, delete, entity, group, list, members, used};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_what_is_given_changes() {
    let world = World::start().await;
    let account = world.account().await;
    let acme = entity(&world, &account, "Acme", "acme.com").await;
    let other = entity(&world, &account, "Other", "other.com").await;
    let third = entity(&world, &account, "Third", "third.com").await;
    let body = json!({"primaryEntity": acme, "entities": [acme, other], "entityId": third});
    let mut before = create(&world, &account, body).await.ok()["data"].clone();
    let id = before["id"].clone();
    for (given, changed) in [
        (json!({"name": " All of it "}), json!({"name": "All of it"})),
        (
            json!({"primaryEntity": other, "name": null, "entities": null}),
            json!({"primary": other}),
        ),
        (
            json!({"entities": [third, other]}),
            json!({"members": ["Third", "Other"]}),
        ),
        (
            json!({"entities": [other, acme], "primaryEntity": acme, "entityId": acme}),
            json!({"members": ["Other", "Acme"], "primary": acme}),
        ),
    ] {
        let mut body = given;
        body["groupId"] = id.clone();
        let at = world.host.clock.now().as_millis();
        let after = change(&world, &account, body).await.ok();
        let after = after["data"].clone();
        assert!(after["updatedAt"].as_i64().unwrap() >= at);
        for kept in ["id", "createdAt", "entityTrackingId"] {
            assert_eq!(after[kept], before[kept]);
        }
        let expected = |field: &str, kept: Value| changed.get(field).cloned().unwrap_or(kept);
        assert_eq!(after["name"], expected("name", before["name"].clone()));
        let names = |group: &Value| json!(members(group, "name"));
        assert_eq!(names(&after), expected("members", names(&before)));
        let primary = |group: &Value| {
            let of = |member: &&Value| member["isPrimary"] == true;
            let mut primaries = group["entities"].as_array().unwrap().iter().filter(of);
            let primary = primaries.next().unwrap();
            assert!(primaries.next().is_none());
            assert_eq!(primary["entityUuid"], group["primaryEntityUuid"]);
            primary["entityId"].clone()
        };
        assert_eq!(primary(&after), expected("primary", primary(&before)));
        assert_eq!(
            list(&world, &account, "").await.as_slice(),
            std::slice::from_ref(&after)
        );
        before = after;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_group_without_a_name_is_called_as_its_primary_is_now() {
    let world = World::start().await;
    let account = world.account().await;
    let acme = entity(&world, &account, "Acme", "acme.com").await;
    let other = entity(&world, &account, "Other", "other.com").await;
    let id = group(&world, &account, &[&acme, &other]).await;
    let body = json!({"groupId": id, "primaryEntity": other});
    let changed = change(&world, &account, body).await.ok();
    assert_eq!(changed["data"]["name"], "Other");
    assert_eq!(list(&world, &account, "").await[0]["name"], "Other");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_of_nothing_is_refused() {
    let world = World::start().await;
    let account = world.account().await;
    let acme = entity(&world, &account, "Acme", "acme.com").await;
    let other = entity(&world, &account, "Other", "other.com").await;
    let id = group(&world, &account, &[&acme, &other]).await;
    let before = list(&world, &account, "").await;
    for more in [
        json!({}),
        json!({"entityId": other}),
        json!({"name": null, "entities": null, "primaryEntity": null}),
    ] {
        let mut body = more;
        body["groupId"] = json!(id);
        let error = change(&world, &account, body).await.error(400);
        assert_eq!(error, "body must have name, primaryEntity or entities");
    }
    assert_eq!(list(&world, &account, "").await, before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn forty_five_members_are_replaced_by_forty_five_others_at_once() {
    let world = World::start().await;
    let account = super::limited(&world, 100).await;
    let domains: Vec<String> = (0..91).map(|n| format!("site{n}.com")).collect();
    let domains: Vec<&str> = domains.iter().map(String::as_str).collect();
    let seen = cited(&world, &account, &domains).await;
    let body = json!({"primaryEntity": seen[0], "entities": seen[..46]});
    let rule = "entities must be 2 to 45 different entities";
    assert_eq!(create(&world, &account, body).await.error(400), rule);
    let body = json!({"primaryEntity": seen[0], "entities": seen[..45]});
    let made = create(&world, &account, body).await.ok()["data"].clone();
    assert_eq!(used(&world, &account).await, 44);
    let body = json!({"groupId": made["id"], "primaryEntity": seen[45], "entities": seen[45..90]});
    let changed = change(&world, &account, body).await.ok()["data"].clone();
    let uuids: Vec<Value> = seen[45..90].iter().map(|uuid| json!(uuid)).collect();
    assert_eq!(members(&changed, "entityUuid"), uuids);
    assert_eq!(used(&world, &account).await, 44);
    group(&world, &account, &[&seen[0], &seen[1]]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deleted_group_is_gone_and_its_members_are_free_and_count_no_more() {
    let world = World::start().await;
    let account = world.account().await;
    let acme = entity(&world, &account, "Acme", "acme.com").await;
    let seen = cited(&world, &account, &["one.com", "two.com"]).await;
    let id = group(&world, &account, &[&acme, &seen[0], &seen[1]]).await;
    assert_eq!(used(&world, &account).await, 3);
    let deleted = delete(&world, &account, &id).await.ok();
    assert_eq!(deleted, json!({"success": true, "data": {"groupId": id}}));
    assert_eq!(used(&world, &account).await, 1);
    assert!(list(&world, &account, "").await.is_empty());
    for answer in [
        delete(&world, &account, &id).await,
        change(&world, &account, json!({"groupId": id, "name": "New"})).await,
        world.get(&account, &format!("/domain-groups?groupId={id}")).await,
    ] {
        assert_eq!(answer.error(404), "Domain group not found");
    }
    group(&world, &account, &[&seen[0], &acme]).await;
}
