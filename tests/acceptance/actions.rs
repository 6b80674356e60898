//! The board of recommendations and tasks.

mod create_task;
mod dismiss;
mod evidence;
mod lifecycle;
mod list;
mod outcomes;
mod recommendations;
mod scripted_entity;
mod two_weeks;
mod update_status;

use acceptance::{Account, ApiResponse, World, candidates, incomplete_findings};
use domain::id::EntityId;
use serde_json::{Value, json};

use crate::contract::{Endpoint, RequestInput};

pub(crate) const CASES: &[Endpoint] = &[
    Endpoint {
        route: "GET /entities/actions",
        request: |fixture| {
            RequestInput::query(&[
                ("entityId", &fixture.entity),
                ("status", "active"),
                ("format", "json"),
                ("limit", "100"),
                ("offset", "0"),
            ])
        },
    },
    Endpoint {
        route: "POST /entities/actions/create-task",
        request: |fixture| RequestInput::body(json!({"actionableId": fixture.actionable, "assignees": []})),
    },
    Endpoint {
        route: "POST /entities/actions/dismiss",
        request: |fixture| RequestInput::body(json!({"actionableId": fixture.actionable})),
    },
    Endpoint {
        route: "POST /entities/actions/update-status",
        request: |fixture| RequestInput::body(json!({"taskId": fixture.task, "status": "in_review"})),
    },
];

/// An entity whose board has so many active actionables: those of a high priority are the prompts 1, 4, 7 …,
/// of a medium one 2, 5, 8 …
struct BoardFixture {
    world: World,
    account: Account,
    entity: String,
}

impl BoardFixture {
    async fn new(actionables: u32) -> Self {
        let world = World::start().await;
        let account = world.account().await;
        let quiet = json!({"startTracking": false});
        let entity = world
            .entity(&account, "Acme", "acme.com", &["Which tool?"], quiet)
            .await;
        let fixture = Self {
            world,
            account,
            entity,
        };
        let id: EntityId = fixture.entity.parse().unwrap();
        fixture.refill(1, &candidates(&id, actionables)).await;
        fixture
    }

    async fn refill(&self, check: u32, candidates: &[domain::board::Candidate]) {
        let entity: EntityId = self.entity.parse().unwrap();
        let (store, found) = (&self.world.host.store, incomplete_findings(candidates));
        let refill = store.refill_board(&self.account.tenant, &entity, check.into(), &found, |_| {
            Vec::new()
        });
        refill.await.unwrap();
    }

    fn actionable(&self, ordinal: u32) -> String {
        format!("{}-a{ordinal}", self.entity)
    }

    fn task(&self, ordinal: u32) -> String {
        format!("{}-t{ordinal}", self.entity)
    }

    async fn post(&self, verb: &str, body: Value) -> ApiResponse {
        let path = format!("/entities/actions/{verb}");
        self.world.post(&self.account, &path, &body).await
    }

    /// Creates a task of the actionable and returns it.
    async fn create_task(&self, actionable: u32) -> Value {
        let body = json!({"actionableId": self.actionable(actionable)});
        let created = self.post("create-task", body).await.ok();
        created["data"].clone()
    }

    async fn move_to(&self, task: u32, status: &str) -> ApiResponse {
        self.post(
            "update-status",
            json!({"taskId": self.task(task), "status": status}),
        )
        .await
    }

    async fn advance(&self, task: u32) -> ApiResponse {
        self.post("update-status", json!({"taskId": self.task(task)}))
            .await
    }

    async fn dismiss(&self, actionable: u32) -> ApiResponse {
        self.post("dismiss", json!({"actionableId": self.actionable(actionable)}))
            .await
    }

    /// Lists the board with these additional parameters.
    async fn listed(&self, parameters: &str) -> Value {
        let path = format!("/entities/actions?entityId={}&{parameters}", self.entity);
        let listed = self.world.get(&self.account, &path).await.ok();
        for array in ["actionables", "tasks"] {
            let rows = listed["data"][array].as_array().unwrap();
            assert_eq!(listed["counts"][array], rows.len());
        }
        listed["data"].clone()
    }

    async fn actionables(&self, parameters: &str) -> Vec<Value> {
        self.listed(parameters).await["actionables"]
            .as_array()
            .unwrap()
            .clone()
    }

    async fn tasks(&self) -> Vec<Value> {
        self.listed("").await["tasks"].as_array().unwrap().clone()
    }

    /// Returns the numbers and columns of the tasks in listed order.
    async fn columns(&self) -> Vec<(String, String)> {
        let text = |row: &Value, field: &str| row[field].as_str().unwrap().to_owned();
        let number = |row: &Value| text(row, "id").rsplit_once("-t").unwrap().1.to_owned();
        let tasks = self.tasks().await;
        tasks.iter().map(|t| (number(t), text(t, "status"))).collect()
    }
}

/// Returns the ordinals in the ids of rows.
fn numbers(rows: &[Value]) -> Vec<u32> {
    let number = |row: &Value| {
        let id = row["id"]
            .as_str()
            .unwrap()
            .rsplit_once("-a")
            .unwrap()
            .1
            .to_owned();
        u32::from_str_radix(&id, 36).unwrap()
    };
    rows.iter().map(number).collect()
}
