//! A workspace with one resource of each kind.

use acceptance::{Account, World, candidates, incomplete_findings};
use domain::clock::Clock;
use domain::id::{ActionableId, EntityId, TaskId};
use domain::member::{Member, Role};
use domain::ordinal::CheckNumber;
use domain::workspace::SubscriptionStatus;
use serde_json::{Value, json};
use store::{ReplyRecorder, WorkspaceUpdate};

/// A workspace with one resource of each kind. Its entities are only checked on request.
pub(crate) struct Fixture {
    pub(crate) account: Account,
    pub(crate) entity: String,
    /// The id of a second entity.
    pub(crate) other: String,
    pub(crate) prompt: String,
    /// A group of two brands that were cited but are not tracked.
    pub(crate) group: String,
    pub(crate) model: String,
    /// An active actionable.
    pub(crate) actionable: String,
    /// A task that is not started.
    pub(crate) task: String,
    /// A tag that no prompt has.
    pub(crate) tag: String,
    /// A webhook whose receiver is not there.
    pub(crate) webhook: String,
    /// A delivery of the webhook that has ended.
    pub(crate) delivery: String,
    /// A response to the other entity's prompt.
    pub(crate) response: String,
    /// The `userId` of a member that no other workspace has.
    pub(crate) member: String,
    /// The uuid of a brand that only this workspace has seen.
    pub(crate) brand: String,
}

impl Fixture {
    pub(crate) async fn new(world: &World) -> Self {
        let account = world.account().await;
        let quiet = json!({"startTracking": false});
        let entity = world
            .entity(&account, "Acme", "acme.com", &["Which tool?"], quiet.clone())
            .await;
        let other = world
            .entity(&account, "Other", "other.com", &["Which other?"], quiet)
            .await;
        let path = format!("/entities/prompts?entityId={entity}");
        let prompts = world.get(&account, &path).await.ok();
        let prompt = prompts["data"][0]["id"].as_str().unwrap().to_owned();
        let cited = crate::domain_groups::cited(world, &account, &["one.example", "two.example"]).await;
        let group = json!({"primaryEntity": cited[0], "entities": cited});
        let group = world.post(&account, "/domain-groups", &group).await.ok();
        let group = group["data"]["id"].as_str().unwrap().to_owned();
        let model = world.model(&account).await;
        let (actionable, task) = board(world, &account, &entity).await;
        let tag = crate::tags::create(world, &account, "Launch").await;
        let (webhook, delivery) = crate::webhooks::delivered(world, &account).await;
        let response =
            crate::analytics::recorded_checks::record_answered_check(world, &account, &other).await;
        let member = member(world, &account).await;
        let seen = format!("{}.example", account.tenant.workspace().as_str().to_lowercase());
        let brand = crate::domain_groups::cited(world, &account, &[&seen])
            .await
            .remove(0);
        Self {
            account,
            entity,
            other,
            prompt,
            group,
            model,
            actionable,
            task,
            tag,
            webhook,
            delivery,
            response,
            member,
            brand,
        }
    }

    /// Returns everything that a refused write must not change.
    pub(crate) async fn state(&self, world: &World) -> Vec<Value> {
        let mut state = Vec::new();
        for path in [
            "/workspace",
            "/entities",
            "/entities/prompts",
            "/entities/tracking-status",
            "/domain-groups",
            "/entities/actions",
            "/entities/name-request",
            "/tags",
            "/webhooks",
        ] {
            let path = format!("{path}?entityId={}", self.entity);
            state.push(world.get(&self.account, &path).await.body);
        }
        let path = format!("/webhooks/deliveries?webhookId={}", self.webhook);
        state.push(world.get(&self.account, &path).await.body);
        let path = format!("/entities/prompts?entityId={}", self.other);
        state.push(world.get(&self.account, &path).await.body);
        state
    }
}

impl Fixture {
    /// Cancels the subscription. From then on, a valid write is 403 and changes nothing.
    pub(crate) async fn cancel(&self, world: &World) {
        let canceled = WorkspaceUpdate {
            status: Some(SubscriptionStatus::Canceled),
            ..WorkspaceUpdate::default()
        };
        let changed = world
            .host
            .store
            .update_workspace(&self.account.tenant, canceled)
            .await;
        assert!(changed.unwrap());
    }

    /// Returns [`Fixture::state`] once no check runs and every event has been delivered or has failed.
    pub(crate) async fn quiet_state(&self, world: &World) -> Vec<Value> {
        world.host.queues.wait_until_idle().await;
        self.state(world).await
    }
}

/// Creates an active actionable and a task, and returns their ids.
async fn board(world: &World, account: &Account, entity: &str) -> (String, String) {
    let (store, tenant) = (&world.host.store, &account.tenant);
    let entity: EntityId = entity.parse().unwrap();
    let refill = store
        .refill_board(
            tenant,
            &entity,
            CheckNumber::new(1),
            &incomplete_findings(&candidates(&entity, 2)),
            |_| Vec::new(),
        )
        .await;
    assert_eq!(refill.unwrap().created.len(), 2);
    let id = |ordinal: u32| ActionableId {
        entity,
        ordinal: ordinal.into(),
    };
    let task = store
        .create_task(tenant, &id(2), &[], &ReplyRecorder::disabled())
        .await;
    let task = TaskId {
        entity,
        ordinal: task.unwrap().ordinal,
    };
    (id(1).to_string(), task.to_string())
}

/// Adds a member and returns its `userId`.
async fn member(world: &World, account: &Account) -> String {
    let (workspace, now) = (account.tenant.workspace(), world.host.clock.now());
    let address = format!("{workspace}@example.com");
    let member = Member::new(workspace, &address, "Ann", Role::Member, now).unwrap();
    let added = world.host.store.add_member(&account.tenant, &member).await;
    added.unwrap();
    member.user_id.to_string()
}
