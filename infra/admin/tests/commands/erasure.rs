#![expect(clippy::unwrap_used, reason = "what cannot be done fails the test")]

use std::path::PathBuf;

use domain::clock::Clock;
use serde_json::Value;

use crate::world::*;

/// A file that is removed at the end of a test.
struct OutFile(PathBuf);

impl OutFile {
    fn new(name: &str) -> Self {
        let name = format!("{name}-{}.jsonl", std::process::id());
        Self(std::env::temp_dir().join(name))
    }

    fn lines(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(&self.0).unwrap();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

impl Drop for OutFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn of_type<'a>(lines: &'a [Value], kind: &str) -> Vec<&'a Value> {
    lines.iter().filter(|line| line["type"] == kind).collect()
}

#[tokio::test]
async fn a_workspace_is_exported_with_its_answers_and_never_over_another_file() {
    let host = host().await;
    let id = workspace(&host).await;
    let entity = entity(&host, &id, &["Which tool is best?", "Which shop is best?"]).await;
    answer(
        &host,
        &format!("member add --workspace {id} --email a@b.com --name Ada --role owner"),
    )
    .await;
    answer(
        &host,
        &format!("check run --workspace {id} --entity {}", entity.id),
    )
    .await;
    host.queues.wait_until_idle().await;
    let last = reread(&host, &id, &entity).await.last_check.unwrap();

    let out = OutFile::new("export");
    let line = format!("workspace export --workspace {id} --out {}", out.0.display());
    let exported = answer(&host, &line).await;
    let lines = out.lines();
    assert_eq!(exported["lines"], lines.len());
    assert_eq!(lines[0]["type"], "export");
    assert_eq!(lines[lines.len() - 1]["lines"], lines.len());
    assert!(error(&host, &line).await.contains("--overwrite"));
    assert_eq!(answer(&host, &format!("{line} --overwrite")).await, exported);
    assert_eq!(out.lines(), lines, "the order is the same");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;

        // What somebody else has put where the export writes first is removed, not followed.
        let others = OutFile::new("others");
        std::fs::write(&others.0, "precious").unwrap();
        let partial = PathBuf::from(format!("{}.partial", out.0.display()));
        for is_link in [true, false] {
            if is_link {
                std::os::unix::fs::symlink(&others.0, &partial).unwrap();
            } else {
                std::fs::write(&partial, "left").unwrap();
                std::fs::set_permissions(&partial, PermissionsExt::from_mode(0o666)).unwrap();
            }
            assert_eq!(answer(&host, &format!("{line} --overwrite")).await, exported);
            let exported = std::fs::symlink_metadata(&out.0).unwrap();
            assert!(exported.is_file() && exported.permissions().mode() & 0o777 == 0o600);
            assert_eq!(std::fs::read_to_string(&others.0).unwrap(), "precious");
        }
    }

    let mut shown = answer(&host, &format!("workspace show --workspace {id}")).await;
    shown["type"] = "workspace".into();
    assert_eq!(of_type(&lines, "workspace"), [&shown]);
    for (kind, command, list) in [("key", "key list", "keys"), ("member", "member list", "members")] {
        let listed = answer(&host, &format!("{command} --workspace {id}")).await;
        let mut listed = listed[list].as_array().unwrap().clone();
        for item in &mut listed {
            item["type"] = kind.into();
        }
        assert_eq!(of_type(&lines, kind), listed.iter().collect::<Vec<_>>());
    }
    let texts: Vec<&str> = of_type(&lines, "prompt")
        .iter()
        .map(|line| text(line, "text"))
        .collect();
    assert_eq!(texts, ["Which tool is best?", "Which shop is best?"]);
    assert_eq!(of_type(&lines, "entity")[0]["name"], "Example");

    // Every answer is there as it is stored.
    let tenant = store::Tenant::operator(id.parse().unwrap());
    let stored = host
        .store
        .responses_of(&tenant, &entity.id, last.key())
        .await
        .unwrap();
    let answers = of_type(&lines, "answer");
    assert_eq!((answers.len(), stored.len()), (6, 6));
    for line in answers {
        let response = text(line, "id").parse().unwrap();
        let response = host.store.response(&tenant, &response).await.unwrap().unwrap();
        assert_eq!(text(line, "text"), response.text);
        assert!(!response.text.is_empty());
        for (field, value) in serde_json::to_value(&response).unwrap().as_object().unwrap() {
            assert_eq!(&line[field], value, "{field}");
        }
        assert_eq!(line["entityId"], entity.id.as_str());
        assert!(line["modelId"].is_string() && line["promptId"].is_string());
    }
    // So are the facts, as `facts show` shows them.
    let of_day = format!("--workspace {id} --entity {} --day {}", entity.id, last.day);
    let mut facts = answer(&host, &format!("facts show {of_day}")).await["checks"][0].clone();
    facts["type"] = "facts".into();
    facts["entityId"] = entity.id.as_str().into();
    facts["day"] = last.day.to_string().into();
    assert_eq!(of_type(&lines, "facts"), [&facts]);
    assert_eq!(of_type(&lines, "check").len(), 1);

    let board = host.store.board(&tenant, &entity.id).await.unwrap();
    assert_eq!(of_type(&lines, "recommendation").len(), board.actionables.len());
    let all = std::fs::read_to_string(&out.0).unwrap();
    for key in host.store.list_keys(&tenant).await.unwrap() {
        assert!(!all.contains(&key.digest), "a key's digest is exported");
    }
    let nowhere = format!("workspace export --workspace {id} --out /nowhere/at/all");
    assert!(error(&host, &nowhere).await.contains("--out cannot be written"));
    host.stop().await;
}

#[tokio::test]
async fn a_workspace_is_deleted_only_if_its_id_is_given_twice_and_its_keys_stop_at_once() {
    let host = host().await;
    let created = answer(&host, "workspace create --name Acme").await;
    let (id, key) = (text(&created, "workspaceId"), text(&created, "apiKey"));
    let kept = workspace(&host).await;
    entity(&host, id, &["Which tool is best?"]).await;
    let unconfirmed = format!("workspace delete --workspace {id} --confirm {kept}");
    assert!(error(&host, &unconfirmed).await.contains("nothing was deleted"));
    assert!(workspace_of_key(&host, key).await.is_ok());

    let delete = format!("workspace delete --workspace {id} --confirm {id}");
    let deleted = answer(&host, &delete).await;
    assert_eq!(
        (&deleted["keysStopped"], &deleted["entitiesToErase"]),
        (&1.into(), &1.into())
    );
    assert!(workspace_of_key(&host, key).await.is_err());
    assert_eq!(answer(&host, &delete).await, deleted, "it can be repeated");
    for line in [
        format!("workspace show --workspace {id}"),
        format!("key create --workspace {id}"),
        format!("workspace set-limits --workspace {id} --status active"),
        format!("facts reread --workspace {id}"),
        format!("workspace delete --workspace {UNKNOWN} --confirm {UNKNOWN}"),
    ] {
        assert!(error(&host, &line).await.contains("--workspace"), "{line}");
    }
    answer(&host, &format!("workspace show --workspace {kept}")).await;
    assert!(deleted["deletedAt"].as_i64().unwrap() <= host.clock.now().as_millis());
    host.stop().await;
}
