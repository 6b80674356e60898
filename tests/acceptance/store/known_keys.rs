//! What an instance reads for a key that it has accepted before, while the key is checked.

use acceptance::{AwsCall, Fault, serial_depth};
use domain::api_key::ApiKey;
use domain::id::EntityId;
use domain::workspace::Limits;
use serde_json::{Value, json};
use store::Tenant;

use super::instance::Instance;
use super::reads::add_facts;
use super::table::{Table, no_limits};

const PATH: &str = "/v1/trends/visibility";
/// The operations of a request for a trend: the check of the key, the reads of items, and the read of
/// segments.
const OPERATIONS: [&str; 3] = ["UpdateItem", "GetItem", "Query"];

struct Warm {
    table: Table,
    tenant: Tenant,
    key: ApiKey,
    entity: EntityId,
    instance: Instance,
}

impl Warm {
    /// Starts an instance that has accepted the key, and has answered a request with it.
    async fn start(limits: Limits) -> Self {
        let table = Table::start().await;
        let (tenant, key) = table.workspace(limits, 0).await;
        let entity = table.entity(&tenant, "acme.com", 1, 1).await.id;
        add_facts(&table, &tenant, &entity, 1).await;
        let instance = Instance::start(&table);
        let warm = Self {
            table,
            tenant,
            key,
            entity,
            instance,
        };
        assert_eq!(warm.request().await["statusCode"], 200);
        warm.table.faults.take();
        warm
    }

    async fn request(&self) -> Value {
        self.request_with(&self.key).await
    }

    async fn request_with(&self, key: &ApiKey) -> Value {
        let query = format!("entityId={}", self.entity);
        self.instance.request(key.reveal(), PATH, &query).await
    }

    /// Makes the calls of one operation late, so that the others end before.
    fn delay(&self, operation: &'static str) {
        let faults = &self.table.faults;
        faults.script(move |call| (call.operation == operation).then_some(Fault::Slow));
    }

    async fn revoke(&self) {
        let keys = self.table.store.list_keys(&self.tenant).await.unwrap();
        let revoked = self.table.store.revoke_key(&self.tenant, &keys[0].key_id).await;
        assert!(revoked.unwrap());
        self.table.faults.take();
    }
}

fn body(response: &Value) -> Value {
    serde_json::from_str(response["body"].as_str().unwrap()).unwrap()
}

fn operations(calls: &[AwsCall]) -> Vec<&str> {
    calls.iter().map(|call| call.operation.as_str()).collect()
}

#[tokio::test]
async fn a_read_with_a_known_key_waits_twice_for_the_table_and_once_if_the_facts_are_known_too() {
    let warm = Warm::start(no_limits()).await;
    warm.delay("UpdateItem");
    assert_eq!(warm.request().await["statusCode"], 200);
    let calls = warm.table.faults.take();
    assert_eq!(
        operations(&calls)
            .iter()
            .filter(|call| **call == "UpdateItem")
            .count(),
        1
    );
    assert_eq!(serial_depth(&calls), 1, "{calls:?}");

    add_facts(&warm.table, &warm.tenant, &warm.entity, 2).await;
    warm.table.faults.take();
    let trend = body(&warm.request().await);
    assert_eq!(trend["data"][0]["responses"], 100);
    let calls = warm.table.faults.take();
    assert!(operations(&calls).contains(&"Query"), "{calls:?}");
    assert_eq!(serial_depth(&calls), 2, "{calls:?}");
}

#[tokio::test]
async fn a_key_that_was_revoked_gets_nothing_that_was_read_for_it_at_any_timing() {
    for late in OPERATIONS {
        let warm = Warm::start(no_limits()).await;
        warm.revoke().await;
        warm.delay(late);
        let response = warm.request().await;
        assert_eq!(response["statusCode"], 401, "{late}: {response}");
        assert_eq!(
            body(&response).as_object().unwrap().keys().collect::<Vec<_>>(),
            ["error"]
        );
        // Nothing is read for it any more.
        warm.table.faults.none();
        warm.table.faults.wait_for_responses().await;
        warm.table.faults.take();
        assert_eq!(warm.request().await["statusCode"], 401);
        assert_eq!(operations(&warm.table.faults.take()), ["UpdateItem"]);
    }
}

#[tokio::test]
async fn a_key_over_its_rate_gets_nothing_that_was_read_for_it_at_any_timing() {
    for late in OPERATIONS {
        let limits = Limits {
            reads_per_minute: 1,
            ..no_limits()
        };
        let warm = Warm::start(limits).await;
        warm.delay(late);
        let response = warm.request().await;
        assert_eq!(response["statusCode"], 429, "{late}: {response}");
        let body = body(&response);
        assert!(
            body.get("data").is_none() && body["retryAfter"].is_number(),
            "{body}"
        );
        warm.table.faults.none();
        warm.table.faults.wait_for_responses().await;
        warm.table.faults.take();
        assert_eq!(warm.request().await["statusCode"], 429);
        let calls = warm.table.faults.take();
        assert!(
            operations(&calls).iter().all(|call| *call == "UpdateItem"),
            "{calls:?}"
        );
    }
}

#[tokio::test]
async fn a_known_key_of_another_workspace_gets_nothing_at_any_timing() {
    for late in OPERATIONS {
        let warm = Warm::start(no_limits()).await;
        let (_, other) = warm.table.workspace(no_limits(), 0).await;
        for _ in 0..2 {
            warm.delay(late);
            let response = warm.request_with(&other).await;
            assert_eq!(response["statusCode"], 404, "{late}: {response}");
            assert_eq!(body(&response), json!({"error": "Entity not found"}));
        }
        assert_eq!(warm.request().await["statusCode"], 200);
    }
}

#[tokio::test]
async fn whatever_fails_a_revoked_key_gets_an_error_and_a_valid_one_its_own_data() {
    for seed in 0..40 {
        let warm = Warm::start(no_limits()).await;
        let (_, other) = warm.table.workspace(no_limits(), 0).await;
        warm.request_with(&other).await;
        warm.table.faults.random(seed, 300, &Fault::TRANSIENT);
        let valid = warm.request().await;
        match valid["statusCode"].as_u64() {
            Some(200) => assert_eq!(body(&valid)["data"][0]["responses"], 50, "{seed}"),
            status => assert_eq!(status, Some(503), "{seed}: {valid}"),
        }
        let foreign = warm.request_with(&other).await;
        assert!(
            [404, 503].contains(&foreign["statusCode"].as_u64().unwrap()),
            "{seed}: {foreign}"
        );
        warm.table.faults.none();
        warm.revoke().await;
        warm.table.faults.random(seed, 300, &Fault::TRANSIENT);
        let revoked = warm.request().await;
        assert!(
            [401, 503].contains(&revoked["statusCode"].as_u64().unwrap()),
            "{seed}: {revoked}"
        );
        for response in [foreign, revoked] {
            assert!(body(&response).get("data").is_none(), "{seed}: {response}");
        }
    }
}
