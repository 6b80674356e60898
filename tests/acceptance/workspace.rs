//! The plan, usage, members and models of a workspace.

use std::collections::BTreeSet;

use acceptance::{FakeOpenAi, World, answer};
use domain::key_scope::{KeyAccess, KeyScope};
use domain::limits::{PLAN_CREDITS, PLAN_ENTITIES, PLAN_MEMBERS, PLAN_PROMPTS};
use domain::member::{Member, Role};
use domain::time::Timestamp;
use domain::workspace::{Limits, SubscriptionStatus};
use serde_json::json;
use store::WorkspaceUpdate;

use crate::contract::{Endpoint, RequestInput};

pub(crate) const CASES: &[Endpoint] = &[
    Endpoint {
        route: "GET /workspace",
        request: |_| RequestInput::default(),
    },
    Endpoint {
        route: "GET /workspace/members",
        request: |_| RequestInput::query(&[("format", "json")]),
    },
    Endpoint {
        route: "GET /keys/self",
        request: |_| RequestInput::default(),
    },
    Endpoint {
        route: "GET /models",
        request: |_| RequestInput::query(&[("format", "json")]),
    },
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn members_are_listed_in_order_of_addition_and_only_in_their_workspace() {
    let world = World::start().await;
    let (account, other) = (world.account().await, world.account().await);
    for (name, role, at) in [("Ann", Role::Owner, 1), ("Bob", Role::Viewer, 2)] {
        let email = format!("{name}@x.example");
        let member = Member::new(
            account.tenant.workspace(),
            &email,
            name,
            role,
            Timestamp::from_millis(at),
        )
        .unwrap();
        world
            .host
            .store
            .add_member(&account.tenant, &member)
            .await
            .unwrap();
    }
    let listed = world.get(&account, "/workspace/members").await.ok();
    assert_eq!(listed["count"], 2);
    let row = &listed["data"][1];
    assert_eq!(
        (&row["name"], &row["role"], &row["status"]),
        (&json!("Bob"), &json!("viewer"), &json!("active"))
    );
    let used = world.get(&account, "/workspace").await.ok();
    assert_eq!(
        used["data"]["usage"]["teamMembers"],
        json!({"used": 2, "limit": PLAN_MEMBERS})
    );
    assert_eq!(world.get(&other, "/workspace/members").await.ok()["count"], 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_workspace_shows_its_plan_and_has_used_nothing() {
    let world = World::start().await;
    let account = world.account_with(Limits::default(), PLAN_CREDITS).await;
    let shown = world.get(&account, "/workspace").await.ok();
    assert_eq!(
        shown["data"],
        json!({
            "workspace": {"id": account.tenant.workspace().as_str(), "name": "Test"},
            "subscription": {"planName": "test", "status": "active", "expiresAt": null},
            "usage": {
                "entities": {"used": 0, "limit": 25},
                "prompts": {"used": 0, "limit": 500},
                "teamMembers": {"used": 0, "limit": 5},
                "credits": {"balance": 10_000, "totalUsed": 0},
            },
        })
    );
    assert_eq!(
        (PLAN_ENTITIES, PLAN_PROMPTS, PLAN_MEMBERS, PLAN_CREDITS),
        (25, 500, 5, 10_000)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_of_the_operator_are_visible_at_once() {
    let world = World::start().await;
    let account = world.account().await;
    let ends = Timestamp::from_iso("2030-01-31T00:00:00Z").unwrap();
    let change = WorkspaceUpdate {
        plan_name: Some("Team".to_owned()),
        status: Some(SubscriptionStatus::PastDue),
        subscription_ends_at: Some(ends),
        entities: Some(7),
        prompts: Some(70),
        members: Some(3),
        credits: Some(12),
        ..WorkspaceUpdate::default()
    };
    assert!(
        world
            .host
            .store
            .update_workspace(&account.tenant, change)
            .await
            .unwrap()
    );
    let shown = world.get(&account, "/workspace").await.ok();
    let expected = json!({"planName": "Team", "status": "past_due", "expiresAt": ends.as_millis()});
    assert_eq!(shown["data"]["subscription"], expected);
    let usage = &shown["data"]["usage"];
    let limits = ["entities", "prompts", "teamMembers"].map(|what| usage[what]["limit"].as_u64().unwrap());
    assert_eq!(limits, [7, 70, 3]);
    assert_eq!(usage["credits"]["balance"], 12);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn entities_prompts_and_credits_are_counted_as_they_are_used() {
    let provider = FakeOpenAi::start(|_| answer("Acme.", &[], &[])).await;
    let world = World::asking(&provider).await;
    let account = world.account().await;
    // The second model costs three credits per answer.
    let models = world.models(&account).await;
    let more = json!({"models": [models[1]]});
    let entity = world
        .entity(&account, "Acme", "acme.com", &["a?", "b?"], more)
        .await;
    world.checked(&account, &entity).await;
    world.entity(&account, "Empty", "empty.com", &[], json!({})).await;
    let shown = world.get(&account, "/workspace").await.ok();
    let usage = &shown["data"]["usage"];
    assert_eq!(usage["entities"]["used"], 2);
    assert_eq!(usage["prompts"]["used"], 2);
    assert_eq!(usage["credits"], json!({"balance": 9_994, "totalUsed": 6}));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_is_told_what_it_may_do() {
    let world = World::start().await;
    let account = world.account().await;
    let entity = world.entity(&account, "Acme", "acme.com", &[], json!({})).await;
    for (access, is_bound, told) in [
        (
            KeyAccess::Write,
            false,
            json!({"scope": "write", "entityIds": null}),
        ),
        (
            KeyAccess::Read,
            false,
            json!({"scope": "read", "entityIds": null}),
        ),
        (
            KeyAccess::Write,
            true,
            json!({"scope": "write", "entityIds": [entity]}),
        ),
        (
            KeyAccess::Read,
            true,
            json!({"scope": "read", "entityIds": [entity]}),
        ),
    ] {
        let entities = is_bound.then(|| BTreeSet::from([entity.parse().unwrap()]));
        let scope = KeyScope { access, entities };
        let scoped = world.account_with_scope(&account, scope).await;
        assert_eq!(world.get(&scoped, "/keys/self").await.ok()["data"], told);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_models_are_those_of_the_configured_providers_each_with_a_uuid_that_stays() {
    let provider = FakeOpenAi::start(|_| answer("Acme.", &[], &[])).await;
    let world = World::asking(&provider).await;
    let account = world.account().await;
    let listed = world.get(&account, "/models").await.ok();
    let models = listed["data"].as_array().unwrap();
    assert_eq!(listed["total"], models.len());
    let distinct = |field: &str| {
        models
            .iter()
            .map(|m| m[field].as_str().unwrap())
            .collect::<BTreeSet<_>>()
    };
    assert_eq!(
        (distinct("id").len(), distinct("uuid").len()),
        (models.len(), models.len())
    );
    // Clients store these UUIDs.
    let luna = models.iter().find(|m| m["id"] == "gpt-6-luna").unwrap();
    let again = World::asking(&provider).await;
    let account = again.account().await;
    let known = again.get(&account, "/models").await.ok();
    assert!(known["data"].as_array().unwrap().contains(luna));
    // The models of the demo provider are not listed.
    assert!(
        distinct("id").iter().all(|id| !id.starts_with("demo")),
        "{models:?}"
    );
}
