//! The usage that `GET /workspace` shows equals the number of items after any concurrent requests.

use std::collections::BTreeSet;

use acceptance::{Account, Fault, FaultInjector, SeededRng, World};
use domain::workspace::Limits;
use reqwest::Method;
use serde_json::{Value, json};

use crate::domain_groups::cited;

const ROUNDS: u32 = 10;
const CONCURRENCY: u32 = 6;

struct UsageFixture<'a> {
    world: &'a World,
    account: Account,
    /// UUIDs of brands that were cited and are not tracked.
    cited: Vec<String>,
}

impl UsageFixture<'_> {
    async fn rows(&self, path: &str) -> Vec<Value> {
        let listed = self.world.get(&self.account, path).await.ok();
        listed["data"].as_array().unwrap().clone()
    }

    async fn ids(&self, path: &str) -> Vec<String> {
        let id = |row: &Value| row["id"].as_str().unwrap().to_owned();
        self.rows(path).await.iter().map(id).collect()
    }

    /// Sends a random request that refers to existing items, and returns its status.
    async fn send_random_request(
        &self,
        mut rng: SeededRng,
        entities: &[String],
        groups: &[String],
        prompts: &[String],
    ) -> u16 {
        let (world, account) = (self.world, &self.account);
        let references: Vec<&String> = entities.iter().chain(&self.cited).collect();
        let some = |rng: &mut SeededRng, count: u32| -> Vec<String> {
            (0..count).map(|_| (*rng.choose(&references)).clone()).collect()
        };
        let (method, path, body) = match rng.below(7) {
            0 | 1 => {
                let domain = format!("site{}.example", rng.below(6));
                let count = rng.below(4);
                let prompts: Vec<String> = (0..count).map(|n| format!("Which {n}?")).collect();
                let model = world.model(account).await;
                let new = json!({"name": "Acme", "domain": domain, "models": [model], "prompts": prompts,
                                 "startTracking": false});
                (Method::POST, "/entities".to_owned(), Some(new))
            }
            2 if !entities.is_empty() => {
                let path = format!("/entities?entityId={}", rng.choose(entities));
                (Method::DELETE, path, None)
            }
            3 if !entities.is_empty() => {
                let body = json!({"entityId": rng.choose(entities), "prompts": ["One?", "Two?"]});
                (Method::POST, "/entities/addprompt".to_owned(), Some(body))
            }
            4 if !prompts.is_empty() => {
                let path = format!("/entities/prompts?promptId={}", rng.choose(prompts));
                (Method::DELETE, path, None)
            }
            5 if !groups.is_empty() => {
                let group = rng.choose(groups).clone();
                if rng.chance(50) {
                    (Method::DELETE, format!("/domain-groups?groupId={group}"), None)
                } else {
                    let members = some(&mut rng, 3);
                    let body = json!({"groupId": group, "entities": members, "primaryEntity": members[0]});
                    (Method::PATCH, "/domain-groups".to_owned(), Some(body))
                }
            }
            _ => {
                let members = some(&mut rng, 3);
                let mut body = json!({"primaryEntity": members[0], "entities": members});
                if !entities.is_empty() && rng.chance(30) {
                    body["entityId"] = json!(rng.choose(entities));
                }
                (Method::POST, "/domain-groups".to_owned(), Some(body))
            }
        };
        let answer = world.send(Some(account), method, &path, body.as_ref()).await;
        answer.status
    }

    /// Asserts that the counters equal the number of listed items.
    async fn assert_counted(&self, context: &str) {
        let usage = self.world.get(&self.account, "/workspace").await.ok()["data"]["usage"].clone();
        let entities = self.ids("/entities").await;
        let groups = self.rows("/domain-groups").await;
        let members = || {
            groups
                .iter()
                .flat_map(|group| group["entities"].as_array().unwrap())
        };
        let untracked =
            members().filter(|member| member["inWorkspace"] == false && member["isPrimary"] == false);
        let used = entities.len() + untracked.count();
        assert_eq!(usage["entities"]["used"], used, "{context}: {groups:#?}");
        assert!(
            used <= usage["entities"]["limit"].as_u64().unwrap() as usize,
            "{context}"
        );

        let brands: Vec<&str> = members()
            .map(|member| member["entityUuid"].as_str().unwrap())
            .collect();
        let distinct: BTreeSet<&&str> = brands.iter().collect();
        assert_eq!(distinct.len(), brands.len(), "{context}: an entity in two groups");
        for group in &groups {
            let members = group["entities"].as_array().unwrap();
            assert!(members.len() >= 2, "{context}: {group}");
            assert!(
                members.iter().any(|member| member["isPrimary"] == true),
                "{context}: {group}"
            );
            let scope = &group["entityTrackingId"];
            assert!(
                scope.is_null() || entities.iter().any(|id| scope == id),
                "{context}: {group}"
            );
        }

        let mut prompts = 0;
        for entity in &entities {
            prompts += self
                .rows(&format!("/entities/prompts?entityId={entity}"))
                .await
                .len();
        }
        assert_eq!(usage["prompts"]["used"], prompts, "{context}");
        assert!(
            prompts <= usage["prompts"]["limit"].as_u64().unwrap() as usize,
            "{context}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn usage_equals_the_number_of_items_after_any_concurrent_requests() {
    let faults = FaultInjector::default();
    let world = World::start_with_api_faults(&faults).await;
    for seed in 0..3 {
        let limits = Limits {
            entities: 7,
            prompts: 12,
            reads_per_minute: 1_000_000,
            writes_per_minute: 1_000_000,
            creates_per_hour: 1_000_000,
            ..Limits::default()
        };
        let account = world.account_with(limits, 0).await;
        let cited = cited(
            &world,
            &account,
            &["one.example", "two.example", "site1.example", "site2.example"],
        )
        .await;
        let fixture = UsageFixture {
            world: &world,
            account,
            cited,
        };
        let mut rng = SeededRng::new(seed);
        let mut done = 0;
        for round in 0..ROUNDS {
            let entities = fixture.ids("/entities").await;
            let groups = fixture.ids("/domain-groups").await;
            let mut prompts = Vec::new();
            for entity in &entities {
                prompts.extend(fixture.ids(&format!("/entities/prompts?entityId={entity}")).await);
            }
            // In every other round, calls to the table fail as well.
            if round % 2 == 1 {
                faults.random(seed * 100 + u64::from(round), 60, &Fault::TRANSIENT);
            }
            let acts = (0..CONCURRENCY).map(|_| {
                let rng = SeededRng::new(rng.below(u32::MAX).into());
                fixture.send_random_request(rng, &entities, &groups, &prompts)
            });
            let statuses = futures::future::join_all(acts).await;
            faults.none();
            let context = format!("seed {seed}, round {round}: {statuses:?}");
            for status in &statuses {
                let is_known =
                    matches!(status, 200 | 400 | 403 | 404 | 409) || (round % 2 == 1 && *status == 503);
                assert!(is_known, "{context}");
            }
            done += statuses.iter().filter(|status| **status == 200).count();
            fixture.assert_counted(&context).await;
        }
        assert!(done >= 15, "seed {seed}: only {done} requests did something");
    }
}
