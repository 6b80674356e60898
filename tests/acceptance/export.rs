//! The export of a workspace has what the API shows.

use std::collections::BTreeMap;
use std::sync::Arc;

use acceptance::{Account, World};
use admin::Arguments;
use reqwest::Method;
use runtime::{Settings, SystemClock};
use serde_json::{Value, json};

/// Exports the account's workspace and returns the lines by type.
async fn export(world: &World, account: &Account) -> BTreeMap<String, Vec<Value>> {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("export.jsonl");
    let words = [
        "--endpoint-url",
        &world.host.ready.dynamodb_endpoint,
        "--table",
        &world.host.ready.table,
        "workspace",
        "export",
        "--workspace",
        account.tenant.workspace().as_str(),
        "--out",
        out.to_str().unwrap(),
    ];
    let settings = Settings::from_lookup(|_| None).unwrap();
    let arguments = Arguments::from_words(words).unwrap();
    admin::run(arguments, &settings, Arc::new(SystemClock))
        .await
        .unwrap();
    let mut lines: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for line in std::fs::read_to_string(out).unwrap().lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let kind = line["type"].as_str().unwrap().to_owned();
        lines.entry(kind).or_default().push(line);
    }
    lines
}

/// Returns the rows of a list by the value of a field.
fn by<'a>(rows: &'a [Value], field: &str) -> BTreeMap<&'a str, &'a Value> {
    rows.iter()
        .map(|row| (row[field].as_str().unwrap(), row))
        .collect()
}

async fn list(world: &World, account: &Account, path: &str) -> Vec<Value> {
    let list = world.get(account, path).await.ok();
    list["data"]
        .as_array()
        .unwrap_or_else(|| panic!("{path}: {list}"))
        .clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_export_equals_what_the_api_shows_item_by_item() {
    let world = World::start().await;
    let account = world.account().await;
    let stranger = world.account().await;
    world
        .entity(&stranger, "Stranger", "stranger.com", &["Whose?"], json!({}))
        .await;
    let tag = world
        .post(&account, "/tags", &json!({"name": "Shoes"}))
        .await
        .ok();
    let models = world.models(&account).await;
    let more = json!({
        "models": models,
        "prompts": [{"prompt": "Which tool?", "tags": [tag["data"]["id"]]}, "Which shop?"],
    });
    let first = world.entity(&account, "Acme", "acme.com", &[], more).await;
    let second = world
        .entity(&account, "Other", "other.com", &["Which other?"], json!({}))
        .await;
    for entity in [&first, &second] {
        world.checked(&account, entity).await;
    }
    let webhook = json!({"url": "https://hooks.example.com/a", "events": ["check.completed"]});
    world.post(&account, "/webhooks", &webhook).await.ok();
    let lines = export(&world, &account).await;

    assert!(!serde_json::to_string(&lines).unwrap().contains("stranger.com"));
    let shown = list(&world, &account, "/entities").await;
    let exported = by(&lines["entity"], "id");
    assert_eq!(exported.len(), 2);
    for entity in &shown {
        let line = exported[entity["id"].as_str().unwrap()];
        assert_eq!(line["name"], entity["name"]);
        assert_eq!(line["createdAt"], entity["createdAt"]);
    }
    let tags = list(&world, &account, "/tags").await;
    assert_eq!(lines["tag"].len(), tags.len());
    for (line, tag) in lines["tag"].iter().zip(&tags) {
        for field in ["id", "name", "createdAt"] {
            assert_eq!(line[field], tag[field]);
        }
    }
    let webhooks = list(&world, &account, "/webhooks").await;
    assert_eq!((lines["webhook"].len(), webhooks.len()), (1, 1));
    for field in ["id", "url", "format", "events", "createdAt"] {
        assert_eq!(lines["webhook"][0][field], webhooks[0][field]);
    }
    assert!(!serde_json::to_string(&lines).unwrap().contains("whsec_"));
    let prompts = by(&lines["prompt"], "id");
    let (mut shown_prompts, mut shown_answers, mut shown_actions) = (0, 0, 0);
    let answers = by(&lines["answer"], "id");
    let brands: BTreeMap<u64, &Value> = lines["brand"]
        .iter()
        .map(|brand| (brand["ordinal"].as_u64().unwrap(), &brand["uuid"]))
        .collect();
    for entity in [&first, &second] {
        for prompt in list(&world, &account, &format!("/entities/prompts?entityId={entity}")).await {
            let line = prompts[prompt["id"].as_str().unwrap()];
            assert_eq!(line["text"], prompt["prompt"]);
            for field in ["isActive", "tags", "createdAt"] {
                assert_eq!(line[field], prompt[field], "{field}");
            }
            shown_prompts += 1;
        }
        let responses = list(
            &world,
            &account,
            &format!("/responses?entityId={entity}&limit=100"),
        )
        .await;
        for response in responses {
            let id = response["responseId"].as_str().unwrap();
            let line = answers[id];
            assert_eq!(line["promptId"], response["promptId"]);
            let details = world
                .send(
                    Some(&account),
                    Method::GET,
                    &format!("/responses/details?responseId={id}"),
                    None,
                )
                .await
                .ok();
            let details = &details["data"];
            let shown = &details["response"];
            assert_eq!(line["text"], shown["responseText"]);
            assert!(line["text"].as_str().unwrap().len() > 10);
            assert_eq!(line["answeredAt"], shown["createdAt"]);
            for field in ["modelId", "state", "reason", "truncated"] {
                assert_eq!(line[field], shown[field], "{field}");
            }
            let queries = details["queryFanouts"].as_array().unwrap();
            let queries: Vec<&Value> = queries.iter().map(|fanout| &fanout["query"]).collect();
            assert_eq!(
                line["queries"].as_array().unwrap().iter().collect::<Vec<_>>(),
                queries
            );
            let mentions = details["mentions"].as_array().unwrap();
            let mentions: Vec<&Value> = mentions.iter().map(|mention| &mention["entityUuid"]).collect();
            let mentioned = line["brands"].as_array().unwrap().iter();
            let mentioned: Vec<&Value> = mentioned.map(|brand| brands[&brand.as_u64().unwrap()]).collect();
            assert_eq!(mentioned, mentions);
            let cited = details["citations"].as_array().unwrap();
            assert!(line["citations"].as_array().unwrap().len() >= cited.len());
            shown_answers += 1;
        }
        let board = world
            .get(&account, &format!("/entities/actions?entityId={entity}"))
            .await
            .ok();
        shown_actions += board["data"]["actionables"].as_array().map_or(0, Vec::len);
    }
    assert_eq!(prompts.len(), shown_prompts);
    assert_eq!(answers.len(), shown_answers);
    assert_eq!(answers.len(), 2 * models.len() + 1);
    assert_eq!(lines.get("recommendation").map_or(0, Vec::len), shown_actions);
    assert_eq!((lines["check"].len(), lines["facts"].len()), (2, 2));
}
