use crate::world::*;

#[tokio::test]
async fn unknown_and_malformed_ids_are_errors_that_name_the_option_and_not_the_value() {
    let host = host().await;
    let id = workspace(&host).await;
    for bad in [UNKNOWN, "W#1", "wsk_secret"] {
        for (line, option) in [
            (format!("workspace show --workspace {bad}"), "--workspace"),
            (
                format!("workspace set-limits --workspace {bad} --prompts 1"),
                "--workspace",
            ),
            (format!("key create --workspace {bad}"), "--workspace"),
            (format!("key list --workspace {bad}"), "--workspace"),
            (
                format!("key revoke --workspace {bad} --key {UNKNOWN}"),
                "--workspace",
            ),
            (format!("key revoke --workspace {id} --key {bad}"), "--key"),
            (
                format!("check run --workspace {bad} --entity {UNKNOWN}"),
                "--workspace",
            ),
            (format!("check run --workspace {id} --entity {bad}"), "--entity"),
            (format!("name-request list --workspace {bad}"), "--workspace"),
            (
                format!("name-request approve --workspace {bad} --entity {UNKNOWN}"),
                "--workspace",
            ),
            (
                format!("name-request reject --workspace {id} --entity {bad}"),
                "--entity",
            ),
        ] {
            let error = error(&host, &line).await;
            assert!(error.contains(option) && !error.contains(bad), "{line}: {error}");
        }
    }
    host.stop().await;
}
