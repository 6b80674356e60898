use serde_json::json;

use crate::world::*;

#[tokio::test]
async fn members_are_added_up_to_the_limit_listed_and_removed() {
    let host = host().await;
    let created = answer(&host, "workspace create --name Team --members 2").await;
    let id = text(&created, "workspaceId").to_owned();
    let add = |email: &str| format!("member add --workspace {id} --email {email} --name Ann --role owner");
    let ann = answer(&host, &add("ann@x.example")).await;
    assert_eq!((text(&ann, "role"), text(&ann, "status")), ("owner", "active"));
    assert!(
        error(&host, &add("ANN@x.example"))
            .await
            .contains("member already")
    );
    answer(&host, &add("bob@x.example")).await;
    assert!(error(&host, &add("cid@x.example")).await.contains("limit"));

    let listed = answer(&host, &format!("member list --workspace {id}")).await;
    assert_eq!(listed["members"].as_array().unwrap().len(), 2);
    let remove = format!(
        "member remove --workspace {id} --member {}",
        text(&ann, "memberId")
    );
    assert_eq!(answer(&host, &remove).await["removed"], true);
    assert!(error(&host, &remove).await.contains("--member"));
    let shown = answer(&host, &format!("workspace show --workspace {id}")).await;
    assert_eq!(shown["used"]["members"], json!(1));
    answer(&host, &add("cid@x.example")).await;
    host.stop().await;
}

#[tokio::test]
async fn a_member_needs_an_address_and_a_role() {
    let host = host().await;
    let id = workspace(&host).await;
    for (line, option) in [
        (
            format!("member add --workspace {id} --email ann --name Ann --role owner"),
            "email",
        ),
        (
            format!("member add --workspace {id} --email ann@x.example --name Ann --role king"),
            "--role",
        ),
        (
            format!("member remove --workspace {id} --member nobody"),
            "--member",
        ),
    ] {
        assert!(error(&host, &line).await.contains(option), "{line}");
    }
    host.stop().await;
}
