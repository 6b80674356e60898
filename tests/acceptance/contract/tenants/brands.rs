//! A brand's uuid is computed from its domain. Knowing it reveals nothing about other workspaces.

use acceptance::World;
use domain::brand::uuid_of_domain;
use reqwest::Method;
use serde_json::json;

use super::super::Fixture;
use super::foreign_ids::table_snapshot;
use crate::domain_groups::cited;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_brand_that_only_another_workspace_tracks_groups_or_has_seen_is_unknown() {
    let world = World::start().await;
    let (mine, theirs) = (Fixture::new(&world).await, Fixture::new(&world).await);
    let quiet = json!({"startTracking": false});
    world
        .entity(&theirs.account, "Nimbra", "tracked-there.example", &[], quiet)
        .await;
    let grouped = cited(
        &world,
        &theirs.account,
        &["one-there.example", "two-there.example"],
    )
    .await;
    let group = json!({"primaryEntity": grouped[0], "entities": grouped});
    world.post(&theirs.account, "/domain-groups", &group).await.ok();
    cited(&world, &theirs.account, &["seen-there.example"]).await;

    let before = table_snapshot(&world).await;
    let uuid = |domain| uuid_of_domain(domain).to_string();
    let nobody = uuid("seen-by-nobody.example");
    for domain in ["tracked-there.example", "one-there.example", "seen-there.example"] {
        let there = uuid(domain);
        let requests = |uuid: &str| {
            let (entity, group) = (&mine.entity, &mine.group);
            [
                (
                    Method::POST,
                    json!({"primaryEntity": uuid, "entities": [uuid, entity]}),
                ),
                (
                    Method::POST,
                    json!({"primaryEntity": entity, "entities": [uuid, entity]}),
                ),
                (
                    Method::POST,
                    json!({"primaryEntity": entity, "entities": [entity, mine.other], "entityId": uuid}),
                ),
                (Method::PATCH, json!({"groupId": group, "primaryEntity": uuid})),
                (
                    Method::PATCH,
                    json!({"groupId": group, "entities": [entity, mine.other, uuid]}),
                ),
            ]
        };
        for ((method, known), (_, unknown)) in requests(&there).into_iter().zip(requests(&nobody)) {
            let path = "/domain-groups";
            let got = world
                .send(Some(&mine.account), method.clone(), path, Some(&known))
                .await;
            let expected = world
                .send(Some(&mine.account), method, path, Some(&unknown))
                .await;
            assert_eq!(
                (got.status, &got.text),
                (expected.status, &expected.text),
                "{known}"
            );
            assert_eq!(got.status, 404, "{known}: {}", got.text);
        }
        for path in [
            "/entities/citations/details?entityId=",
            "/domain-groups?entityId=",
        ] {
            let ask = async |uuid: &str| {
                let path = format!("{path}{}&citedEntityUuid={uuid}", mine.entity);
                world.get(&mine.account, &path).await
            };
            let (got, expected) = (ask(&there).await, ask(&nobody).await);
            assert_eq!(
                (got.status, got.text),
                (expected.status, expected.text),
                "{domain}"
            );
        }
        let path = format!("/entities/check-domain?domain={domain}");
        let checked = world.get(&mine.account, &path).await.ok();
        assert_eq!(checked["data"]["available"], true);
    }
    assert_eq!(table_snapshot(&world).await, before);
}
