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
            "readsPerMinute": 3, "writesPerMinute": null,
        })
    );
    host.stop().await;
}
