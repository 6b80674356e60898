//! Requests whose responses have properties that an empty workspace does not show.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use acceptance::{Account, FakeOpenAi, ProviderReply, World, answer};
use domain::clock::Clock;
use domain::id::{EntityId, WebhookId};
use domain::key_scope::KeyScope;
use domain::member::{Member, Role};
use domain::name_request::ReviewDecision;
use domain::pause::ProviderPause;
use domain::time::DAY;
use reqwest::Method;
use serde_json::{Value, json};
use store::{RereadingPass, WorkspaceUpdate};
use uuid::Uuid;

use super::evidence;
use super::properties::SeenProperties;
use crate::analytics::TrackedEntity;
use crate::analytics::comparison::{complete_comparison, rivals_that_are_gone};

/// Starts a provider whose answers name two brands, report nothing about a third, cite and search. One
/// question fails, and one is answered late.
async fn provider() -> FakeOpenAi {
    FakeOpenAi::start(|body| {
        if body["input"].as_str().unwrap_or_default().contains("failed") {
            return ProviderReply::error(400, "invalid_prompt");
        }
        let text = "Rival leads, Acme is cheap. I found no information about Zorblax.";
        let reply = ProviderReply::from(answer(
            text,
            &["https://news.example/a", "https://acme.com/"],
            &["best crm"],
        ));
        let is_late = body["input"].as_str().unwrap_or_default().contains("late");
        reply.after(Duration::from_secs(if is_late { 5 } else { 0 }))
    })
    .await
}

struct Scene<'a> {
    tracked: &'a TrackedEntity,
    seen: &'a mut SeenProperties,
}

impl Scene<'_> {
    async fn get(&mut self, path: &str, parameters: &str) -> Value {
        let (world, account) = self.at();
        let answer = world.get(account, &format!("{path}?{parameters}")).await;
        self.seen.note(&format!("GET {path}"), answer)
    }

    async fn send(&mut self, method: Method, path: &str, body: Value) -> Value {
        let (world, account) = self.at();
        let route = format!("{method} {path}");
        let answer = world.send(Some(account), method, path, Some(&body)).await;
        self.seen.note(&route, answer)
    }

    fn at(&self) -> (&World, &Account) {
        (&self.tracked.world, &self.tracked.account)
    }

    async fn entity(&self, name: &str, domain: &str) -> String {
        let (world, account) = self.at();
        world
            .entity(account, name, domain, &[], json!({"startTracking": false}))
            .await
    }
}

pub(super) async fn record_populated_responses(seen: &mut SeenProperties) {
    let world = World::asking(&provider().await).await;
    let tracked = TrackedEntity::in_world(world, 1, &["plain?", "failed?"]).await;
    let mut scene = Scene {
        tracked: &tracked,
        seen,
    };
    scene.entity("Rival", "rival.example").await;
    scene.entity("Zorblax", "zorblax.example").await;
    tracked.run_check().await;
    scene.analytics().await;
    let (compared, query) = complete_comparison().await;
    let mut comparing = Scene {
        tracked: &compared,
        seen: scene.seen,
    };
    comparing.get("/trends/compare", &query).await;
    comparing.get("/entities/overview", &query).await;
    let (alone, query) = rivals_that_are_gone().await;
    let mut alone = Scene {
        tracked: &alone,
        seen: scene.seen,
    };
    for path in ["/trends/compare", "/entities/overview", "/entities/competitors"] {
        alone.get(path, &query).await;
    }
    scene.running_check().await;
    scene.prompts().await;
    scene.groups().await;
    scene.naming().await;
    scene.webhooks().await;
    scene.workspace().await;
    let boarded = scene.entity("Boarded", "boarded.example").await;
    evidence::fill(&tracked.world, &tracked.account, &boarded).await;
    scene
        .get("/entities/actions", &format!("entityId={boarded}"))
        .await;
}

impl Scene<'_> {
    async fn analytics(&mut self) {
        let of_entity = format!("entityId={}", self.tracked.entity);
        let due = json!({"entityId": self.tracked.entity, "isActive": true});
        self.send(Method::PATCH, "/entities", due).await;
        self.begin_rereading().await;
        for path in [
            "/trends/visibility",
            "/trends/citations",
            "/entities/competitors",
            "/query-fanouts",
            "/entities/tracking-status",
            "/entities/overview",
        ] {
            self.get(path, &of_entity).await;
        }
        let cited = self.get("/entities/citations", &of_entity).await;
        let cited = cited["data"][0]["entityUuid"].as_str().unwrap();
        self.get(
            "/entities/citations/details",
            &format!("{of_entity}&citedEntityUuid={cited}"),
        )
        .await;
        let responses = self.get("/responses", &of_entity).await;
        for row in responses["data"].as_array().unwrap() {
            let id = row["responseId"].as_str().unwrap();
            self.get("/responses/details", &format!("responseId={id}")).await;
        }
    }

    async fn running_check(&mut self) {
        let (world, account) = self.at();
        let running = json!({"startTracking": true});
        let entity = world
            .entity(account, "Late", "late.example", &["late?"], running)
            .await;
        for path in ["/entities/tracking-status", "/entities/overview"] {
            self.get(path, &format!("entityId={entity}")).await;
        }
    }

    /// Leaves the entity with a rereading of which one day is done.
    async fn begin_rereading(&self) {
        let (store, tenant) = (&self.tracked.world.host.store, &self.tracked.account.tenant);
        let (id, now): (EntityId, _) = (
            self.tracked.entity.parse().unwrap(),
            self.tracked.world.host.clock.now(),
        );
        let names = store.workspace_rereading(tenant).await.unwrap().unwrap();
        store
            .end_workspace_rereading(tenant, names.request)
            .await
            .unwrap();
        store
            .request_rereading(tenant, Some(&id), None, now)
            .await
            .unwrap();
        let lease = store.lease_rereading(tenant, &id, Uuid::nil(), now + DAY).await;
        let lease = lease.unwrap().unwrap();
        let pass = RereadingPass {
            request: lease.rereading.request,
            reading: "0123456789ab".parse().unwrap(),
            next: now.day(),
            done: 1,
            total: 2,
            prepared: BTreeMap::new(),
        };
        let saved = store.release_rereading(&lease, Some(&pass), now).await;
        assert!(saved.unwrap());
    }

    async fn prompts(&mut self) {
        let entity = self.tracked.entity.clone();
        self.get("/entities/prompts", &format!("entityId={entity}")).await;
        let body = json!({"entityId": entity, "prompts": ["Which two?", {"prompt": "Which three?"}]});
        let added = self.send(Method::POST, "/entities/addprompt", body).await;
        let body = json!({"updates": [{"promptId": added["promptIds"][0], "isActive": false}]});
        self.send(Method::PATCH, "/entities/updateprompt", body).await;
    }

    async fn groups(&mut self) {
        let (one, two) = (
            self.entity("One", "one.example").await,
            self.entity("Two", "two.example").await,
        );
        let body = json!({"primaryEntity": one, "entities": [one, two], "entityId": self.tracked.entity});
        let group = self.send(Method::POST, "/domain-groups", body).await;
        let body = json!({"groupId": group["data"]["id"], "name": "Both"});
        self.send(Method::PATCH, "/domain-groups", body).await;
        self.get("/domain-groups", "").await;
    }

    async fn naming(&mut self) {
        let entity = self.tracked.entity.clone();
        let body = json!({"entityId": entity, "suggestedName": "Nimbra", "aliases": ["Nimbra Inc"]});
        self.send(Method::POST, "/entities/name-request", body).await;
        let id: EntityId = entity.parse().unwrap();
        let (store, tenant) = (&self.tracked.world.host.store, &self.tracked.account.tenant);
        let reviewed = store
            .review_name(tenant, &id, ReviewDecision::Approve, "Seen.")
            .await;
        reviewed.unwrap();
        self.get("/entities/name-request", &format!("entityId={entity}"))
            .await;
    }

    async fn webhooks(&mut self) {
        let entity = self.tracked.entity.clone();
        // Nobody listens at this address.
        let url = "http://127.0.0.1:9/hook";
        let body = json!({"url": url, "events": ["provider.paused"], "entityIds": [entity]});
        let created = self.send(Method::POST, "/webhooks", body).await;
        let webhook = created["data"]["id"].as_str().unwrap().to_owned();
        let (host, tenant) = (&self.tracked.world.host, &self.tracked.account.tenant);
        let (store, clock) = (&host.store, host.clock.as_ref());
        let (id, hook): (EntityId, WebhookId) = (entity.parse().unwrap(), webhook.parse().unwrap());
        for provider in ["one", "two"] {
            let pause = ProviderPause::first(provider, "No quota is left", clock.now());
            assert_eq!(store.record_pause(tenant, &id, &pause).await, Ok(true));
        }
        assert_eq!(store.pass_on_events(tenant).await, Ok(2));
        let mut failed = store.deliveries(tenant, &hook).await.unwrap().remove(0);
        failed.give_up("The webhook is disabled", clock.now());
        store.record_delivery(tenant, &failed, 0).await.unwrap();
        self.get("/webhooks/deliveries", &format!("webhookId={webhook}"))
            .await;
        let again = json!({"webhookId": webhook, "deliveryId": failed.id().to_string()});
        self.send(Method::POST, "/webhooks/deliveries/redeliver", again)
            .await;
        let rotate = json!({"webhookId": webhook});
        self.send(Method::POST, "/webhooks/rotate-secret", rotate.clone())
            .await;
        let stop = json!({"webhookId": webhook, "enabled": false});
        self.send(Method::PATCH, "/webhooks", stop).await;
        self.send(Method::POST, "/webhooks/rotate-secret", rotate).await;
        self.get("/webhooks", "").await;
    }

    async fn workspace(&mut self) {
        let (store, tenant) = (&self.tracked.world.host.store, &self.tracked.account.tenant);
        let now = self.tracked.world.host.clock.now();
        let ends = WorkspaceUpdate {
            subscription_ends_at: Some(now + DAY),
            ..WorkspaceUpdate::default()
        };
        assert!(store.update_workspace(tenant, ends).await.unwrap());
        let ann = Member::new(tenant.workspace(), "ann@x.example", "Ann", Role::Owner, now).unwrap();
        store.add_member(tenant, &ann).await.unwrap();
        self.get("/workspace", "").await;
        self.get("/workspace/members", "").await;
        let of_entity = KeyScope {
            entities: Some(BTreeSet::from([self.tracked.entity.parse().unwrap()])),
            ..KeyScope::default()
        };
        let (world, account) = self.at();
        let bound = world.account_with_scope(account, of_entity).await;
        let answer = world.get(&bound, "/keys/self").await;
        self.seen.note("GET /keys/self", answer);
    }
}
