#![expect(clippy::unwrap_used, reason = "what fails here fails the test that called it")]

use domain::entity::Entity;
use domain::name_request::NameRequest;
use local::Host;
use serde_json::{Value, json};
use store::{NewNameRequest, ReplyRecorder, Tenant};

use crate::world::*;

async fn ask(host: &Host, workspace: &str, entity: &Entity, name: &str) -> NameRequest {
    let tenant = Tenant::operator(workspace.parse().unwrap());
    let wish = NewNameRequest {
        name: name.to_owned(),
        aliases: None,
        reason: "We are called so now.".to_owned(),
    };
    let store = &host.store;
    let filed = store
        .request_name(&tenant, &entity.id, &wish, &ReplyRecorder::disabled())
        .await;
    filed.unwrap()
}

async fn list(host: &Host, workspace: &str) -> Vec<Value> {
    let listed = answer(host, &format!("name-request list --workspace {workspace}")).await;
    assert_eq!(listed.as_object().unwrap().len(), 1);
    listed["nameRequests"].as_array().unwrap().clone()
}

#[tokio::test]
async fn a_request_is_listed_approved_with_a_note_and_renames_the_entity() {
    let host = host().await;
    let (id, other) = (workspace(&host).await, workspace(&host).await);
    let entity = entity(&host, &id, &[]).await;
    assert!(list(&host, &id).await.is_empty());
    let filed = ask(&host, &id, &entity, "Nimbra").await;
    let pending = json!({
        "id": filed.id.as_str(), "entityId": entity.id.as_str(), "currentName": "Example",
        "suggestedName": "Nimbra", "aliases": null, "reason": "We are called so now.", "status": "pending",
        "createdAt": filed.created_at.as_millis(), "reviewedAt": null, "reviewNote": null,
    });
    assert_eq!(list(&host, &id).await, [pending]);
    assert!(list(&host, &other).await.is_empty());

    let approve = format!(
        "name-request approve --workspace {id} --entity {} --note Checked",
        entity.id
    );
    let approved = answer(&host, &approve).await;
    assert_eq!(
        (text(&approved, "status"), text(&approved, "reviewNote")),
        ("approved", "Checked")
    );
    assert!(approved["reviewedAt"].as_i64().unwrap() >= filed.created_at.as_millis());
    assert_eq!(list(&host, &id).await, [approved]);
    let renamed = reread(&host, &id, &entity).await;
    assert_eq!(
        (renamed.name.as_str(), renamed.aliases.as_slice()),
        ("Nimbra", ["Example".to_owned()].as_slice())
    );
    assert_eq!(renamed.brand, entity.brand);
    host.stop().await;
}

#[tokio::test]
async fn a_rejected_request_changes_no_name_and_the_newest_is_listed_first() {
    let host = host().await;
    let id = workspace(&host).await;
    let entity = entity(&host, &id, &[]).await;
    ask(&host, &id, &entity, "Nimbra").await;
    let reject = format!("name-request reject --workspace {id} --entity {}", entity.id);
    let rejected = answer(&host, &reject).await;
    assert_eq!(
        (text(&rejected, "status"), text(&rejected, "reviewNote")),
        ("rejected", "")
    );
    assert_eq!(reread(&host, &id, &entity).await.name, "Example");
    ask(&host, &id, &entity, "Zorbly").await;
    let listed = list(&host, &id).await;
    let names: Vec<&str> = listed
        .iter()
        .map(|request| text(request, "suggestedName"))
        .collect();
    assert_eq!(names, ["Zorbly", "Nimbra"]);
    host.stop().await;
}

#[tokio::test]
async fn what_cannot_be_reviewed_is_refused_with_the_reason() {
    let host = host().await;
    let (id, other) = (workspace(&host).await, workspace(&host).await);
    let entity = entity(&host, &id, &[]).await;
    for verb in ["approve", "reject"] {
        let line = |workspace: &str, entity: &str| {
            format!("name-request {verb} --workspace {workspace} --entity {entity}")
        };
        let none = error(&host, &line(&id, entity.id.as_str())).await;
        assert!(none.contains("no name change request"), "{none}");
        for unknown in [
            line(&other, entity.id.as_str()),
            line(&id, UNKNOWN),
            line(&id, "x"),
        ] {
            let refused = error(&host, &unknown).await;
            assert!(refused.contains("--entity"), "{unknown}: {refused}");
        }
        let refused = error(&host, &line(UNKNOWN, entity.id.as_str())).await;
        assert!(refused.contains("--workspace"), "{refused}");
        let long = format!("{} --note {}", line(&id, entity.id.as_str()), "x".repeat(2_001));
        assert!(error(&host, &long).await.starts_with("--note"));
    }
    let unknown = format!("name-request list --workspace {UNKNOWN}");
    assert!(error(&host, &unknown).await.contains("--workspace"));
    host.stop().await;
}

#[tokio::test]
async fn a_person_whose_new_name_is_tracked_keeps_the_old_one_and_the_request_stays_pending() {
    let host = host().await;
    let id = workspace(&host).await;
    let jane = person(&host, &id, "Jane").await;
    ask(&host, &id, &jane, "joan").await;
    person(&host, &id, "Joan").await;
    let approve = format!("name-request approve --workspace {id} --entity {}", jane.id);
    let refused = error(&host, &approve).await;
    assert!(
        refused.contains("has this name") && refused.contains("pending"),
        "{refused}"
    );
    assert_eq!(list(&host, &id).await[0]["status"], "pending");
    assert_eq!(reread(&host, &id, &jane).await.name, "Jane");
    answer(
        &host,
        &format!("name-request reject --workspace {id} --entity {}", jane.id),
    )
    .await;
    host.stop().await;
}
