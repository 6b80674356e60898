//! `POST /entities/actions/create-task`

use acceptance::{Account, World};
use domain::member::{Member, Role};
use domain::time::Timestamp;
use serde_json::{Value, json};

use super::BoardFixture;

/// Adds a member and returns its user id.
async fn member(world: &World, account: &Account, name: &str) -> String {
    let email = format!("{name}@x.example");
    let member = Member::new(
        account.tenant.workspace(),
        &email,
        name,
        Role::Member,
        Timestamp::from_millis(1),
    )
    .unwrap();
    let added = world.host.store.add_member(&account.tenant, &member).await;
    added.unwrap();
    member.user_id.to_string()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_takes_over_what_its_actionable_says_and_starts_at_the_end_of_the_first_column() {
    let fixture = BoardFixture::new(3).await;
    let (ann, bob) = (
        member(&fixture.world, &fixture.account, "ann").await,
        member(&fixture.world, &fixture.account, "bob").await,
    );
    let body = json!({"actionableId": fixture.actionable(2), "assignees": [bob, ann, bob.to_uppercase()]});
    let created = fixture.post("create-task", body).await.ok();
    let task = &created["data"];
    let at = &task["createdAt"];
    assert_eq!(
        *task,
        json!({
            "id": fixture.task(1), "title": "Title 2", "description": "Description 2", "type": "off-page",
            "priority": "medium", "status": "not_started", "assignees": [bob, ann], "sortOrder": task["sortOrder"],
            "actionableId": fixture.actionable(2), "createdAt": at, "updatedAt": at,
        })
    );
    let second = fixture.create_task(1).await;
    assert_eq!(second["assignees"], json!([]));
    assert!(second["sortOrder"].as_u64() > task["sortOrder"].as_u64());
    assert_eq!(fixture.tasks().await, [task.clone(), second]);
    let in_task = fixture.actionables("status=in_task").await;
    assert_eq!(in_task.len(), 2);
    // High priority comes before medium.
    assert_eq!(in_task[1]["id"], fixture.actionable(2));
    assert_eq!(in_task[1]["updatedAt"], *at);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_an_active_actionable_becomes_a_task_and_only_once() {
    let fixture = BoardFixture::new(2).await;
    fixture.create_task(1).await;
    fixture.dismiss(2).await.ok();
    let before = fixture.listed("").await;
    let refused = async |ordinal| {
        let body = json!({"actionableId": fixture.actionable(ordinal)});
        fixture.post("create-task", body).await
    };
    assert_eq!(refused(1).await.error(409), "The actionable is a task already");
    assert_eq!(refused(2).await.error(409), "The actionable is dismissed");
    assert_eq!(refused(3).await.error(404), "Actionable not found");
    assert_eq!(fixture.listed("").await, before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn assignees_are_active_members_of_the_workspace() {
    let fixture = BoardFixture::new(1).await;
    let world = &fixture.world;
    let ann = member(world, &fixture.account, "ann").await;
    let stranger = member(world, &world.account().await, "stranger").await;
    for (assignees, field) in [
        (json!([ann, stranger]), "assignees[1] "),
        (json!(["ann@x.example"]), "assignees[0] "),
        (json!([ann, ann, null]), "assignees[2] "),
        (json!({}), "assignees "),
    ] {
        let body = json!({"actionableId": fixture.actionable(1), "assignees": assignees});
        let error = fixture.post("create-task", body).await.error(400);
        assert!(error.starts_with(field), "{error}");
    }
    assert_eq!(fixture.tasks().await, [Value::Null; 0]);
    let body = json!({"actionableId": fixture.actionable(1), "assignees": null});
    assert_eq!(
        fixture.post("create-task", body).await.ok()["data"]["assignees"],
        json!([])
    );
}
