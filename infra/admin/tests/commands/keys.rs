use serde_json::json;
use store::AuthError;

use crate::world::*;

#[tokio::test]
async fn a_revoked_key_opens_nothing_and_stays_listed_without_its_digest() {
    let host = host().await;
    let id = workspace(&host).await;
    let line = format!("key create --workspace {id} --name reports --reads-per-minute 3");
    let created = answer(&host, &line).await;
    let (key_id, key) = (text(&created, "keyId"), text(&created, "apiKey"));
    assert_eq!(workspace_of_key(&host, key).await, Ok(id.clone()));

    let revoke = format!("key revoke --workspace {id} --key {key_id}");
    for _ in 0..2 {
        let revoked = answer(&host, &revoke).await;
        assert_eq!(revoked, json!({"keyId": key_id, "revoked": true}));
    }
    assert_eq!(workspace_of_key(&host, key).await, Err(AuthError::Deactivated));

    let mut listed = answer(&host, &format!("key list --workspace {id}")).await;
    let keys = listed["keys"].as_array_mut().unwrap();
    assert_eq!(keys.len(), 2);
    assert_eq!(
        (&keys[0]["name"], &keys[0]["revoked"]),
        (&json!("default"), &json!(false))
    );
    assert!(keys[1]["createdAt"].take().is_i64());
    assert_eq!(
        keys[1],
        json!({
            "keyId": key_id, "name": "reports", "createdAt": null, "revoked": true,
            "scope": "write", "entities": null, "readsPerMinute": 3, "writesPerMinute": null,
        })
    );
    host.stop().await;
}

#[tokio::test]
async fn a_key_may_only_read_and_reach_some_entities() {
    let host = host().await;
    let id = workspace(&host).await;
    let entities =
        [entity(&host, &id, &[]).await, person(&host, &id, "Ann").await].map(|entity| entity.id.to_string());
    let line = format!(
        "key create --workspace {id} --scope read --entity {} --entity {}",
        entities[0], entities[1]
    );
    let created = answer(&host, &line).await;
    assert_eq!(
        workspace_of_key(&host, text(&created, "apiKey")).await,
        Ok(id.clone())
    );
    let listed = answer(&host, &format!("key list --workspace {id}")).await;
    let key = &listed["keys"][1];
    assert_eq!(key["scope"], "read");
    let mut sorted = entities;
    sorted.sort();
    assert_eq!(key["entities"], json!(sorted));

    for unknown in ["x", "0000000000000000"] {
        let line = format!("key create --workspace {id} --entity {unknown}");
        assert_eq!(
            error(&host, &line).await,
            "--entity names no entity of this workspace"
        );
    }
    let listed = answer(&host, &format!("key list --workspace {id}")).await;
    assert_eq!(listed["keys"].as_array().unwrap().len(), 2);
    host.stop().await;
}
