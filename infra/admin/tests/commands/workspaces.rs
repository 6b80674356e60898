use std::sync::Arc;

use admin::Arguments;
use runtime::{Settings, SystemClock};
use serde_json::json;

use crate::world::*;

#[tokio::test]
async fn a_workspace_is_made_with_the_plans_defaults_and_a_key_that_opens_it() {
    let host = host().await;
    let created = answer(&host, "workspace create --name Acme").await;
    let id = text(&created, "workspaceId");
    assert_eq!(
        workspace_of_key(&host, text(&created, "apiKey")).await,
        Ok(id.to_owned())
    );

    let mut shown = answer(&host, &format!("workspace show --workspace {id}")).await;
    assert!(shown["createdAt"].take().is_i64());
    assert_eq!(
        shown,
        json!({
            "workspaceId": id, "name": "Acme", "plan": "default", "status": "active",
            "expiresAt": null, "createdAt": null,
            "limits": {"entities": 25, "prompts": 500, "members": 5},
            "used": {"entities": 0, "prompts": 0, "members": 0},
            "credits": {"balance": 10_000, "reserved": 0, "totalUsed": 0},
            "rates": {"readsPerMinute": 100, "writesPerMinute": 20, "createsPerHour": 10},
        })
    );
    host.stop().await;
}

#[tokio::test]
async fn a_workspace_is_made_with_the_limits_that_are_given() {
    let host = host().await;
    let created = answer(
        &host,
        "workspace create --name N --plan P --entities 1 --prompts 2 --members 3 --credits 4 \
         --reads-per-minute 5 --writes-per-minute 6 --creates-per-hour 7",
    )
    .await;
    let id = text(&created, "workspaceId");
    let shown = answer(&host, &format!("workspace show --workspace {id}")).await;
    assert_eq!(shown["plan"], "P");
    assert_eq!(
        shown["limits"],
        json!({"entities": 1, "prompts": 2, "members": 3})
    );
    assert_eq!(shown["credits"]["balance"], 4);
    assert_eq!(
        shown["rates"],
        json!({"readsPerMinute": 5, "writesPerMinute": 6, "createsPerHour": 7})
    );
    host.stop().await;
}

#[tokio::test]
async fn set_limits_changes_what_it_names_and_nothing_else() {
    let host = host().await;
    let id = workspace(&host).await;
    let before = answer(&host, &format!("workspace show --workspace {id}")).await;
    let set = format!("workspace set-limits --workspace {id}");

    let mut expected = before.clone();
    expected["limits"]["prompts"] = json!(7);
    expected["credits"]["balance"] = json!(10_005);
    let changed = answer(&host, &format!("{set} --prompts 7 --add-credits 5")).await;
    assert_eq!(changed, expected);

    expected["name"] = json!("Other");
    expected["plan"] = json!("pro");
    expected["status"] = json!("past_due");
    expected["expiresAt"] = json!("2027-01-31T12:00:00.000Z");
    expected["limits"] = json!({"entities": 0, "prompts": 0, "members": 0});
    expected["credits"]["balance"] = json!(3);
    expected["rates"] = json!({"readsPerMinute": 1, "writesPerMinute": 2, "createsPerHour": 3});
    let all = "--name Other --plan pro --status past_due --expires-at 2027-01-31T12:00:00Z --entities 0 \
               --prompts 0 --members 0 --credits 1 --add-credits 2 --reads-per-minute 1 \
               --writes-per-minute 2 --creates-per-hour 3";
    assert_eq!(answer(&host, &format!("{set} {all}")).await, expected);
    let shown = answer(&host, &format!("workspace show --workspace {id}")).await;
    assert_eq!(shown, expected);
    host.stop().await;
}

#[tokio::test]
async fn set_limits_without_an_option_names_the_options() {
    let host = host().await;
    let id = workspace(&host).await;
    let error = error(&host, &format!("workspace set-limits --workspace {id}")).await;
    for option in ["--name", "--credits", "--add-credits", "--status", "--expires-at"] {
        assert!(error.contains(option), "{error}");
    }
    host.stop().await;
}

#[tokio::test]
async fn an_empty_name_is_refused() {
    let settings = Settings::from_lookup(|_| None).unwrap();
    let arguments = Arguments::from_words(["workspace", "create", "--name", " "]).unwrap();
    let refused = admin::run(arguments, &settings, Arc::new(SystemClock)).await;
    assert_eq!(
        refused.unwrap_err().to_string(),
        "--name must be 1 to 120 characters"
    );
}
