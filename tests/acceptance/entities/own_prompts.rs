//! `POST /entities` with the client's own prompts.

use acceptance::{FakeOpenAi, World, answer};
use serde_json::{Value, json};

use super::{create, usage};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_prompt_follows_the_entity_unless_it_has_its_own_values() {
    let world = World::start().await;
    let account = world.account().await;
    let more = json!({
        "language": "de", "geolocation": "at", "startTracking": false, "generatePrompts": true,
        "prompts": [
            " Which one? ",
            {"prompt": "Which two?"},
            {"prompt": "Which three?", "language": "PT_br"},
            {"prompt": "Which four?", "geolocation": "UK"},
            {"prompt": "Which five?", "language": "fr-CA", "geolocation": "global", "other": 1},
        ],
    });
    let created = create(&world, &account, more).await.ok();
    assert_eq!(created["promptsGenerated"], 5);
    let shown: Vec<[&str; 3]> = created["prompts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| ["prompt", "language", "geolocation"].map(|field| p[field].as_str().unwrap()))
        .collect();
    assert_eq!(
        shown,
        [
            ["Which one?", "de", "at"],
            ["Which two?", "de", "at"],
            ["Which three?", "pt-BR", "at"],
            ["Which four?", "de", "gb"],
            ["Which five?", "fr-CA", "global"],
        ]
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_prompt_is_asked_in_its_own_language_and_place() {
    let asked = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let seen = asked.clone();
    let provider = FakeOpenAi::start(move |body| {
        let tool = &body["tools"][0]["user_location"];
        seen.lock()
            .unwrap()
            .push(json!([body["input"], body["instructions"], tool["country"]]));
        answer("Acme.", &[], &[])
    })
    .await;
    let world = World::asking(&provider).await;
    let account = world.account().await;
    let more = json!({
        "language": "de", "geolocation": "at",
        "prompts": ["Which one?", {"prompt": "Which two?", "language": "fr", "geolocation": "global"}],
    });
    let created = create(&world, &account, more).await.ok();
    world
        .checked(&account, created["data"]["id"].as_str().unwrap())
        .await;
    let mut asked = asked.lock().unwrap().clone();
    asked.sort_by_key(Value::to_string);
    assert_eq!([&asked[0][0], &asked[1][0]], ["Which one?", "Which two?"]);
    let language = |at: usize| asked[at][1].as_str().unwrap().to_owned();
    assert!(
        language(0).contains("de") && language(1).contains("fr"),
        "{asked:?}"
    );
    assert_eq!([&asked[0][2], &asked[1][2]], [&json!("AT"), &Value::Null]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_prompt_can_have_tags_of_the_workspace() {
    let world = World::start().await;
    let (account, stranger) = (world.account().await, world.account().await);
    let tag = async |account, name: &str| {
        let made = world.post(account, "/tags", &json!({"name": name})).await.ok();
        made["data"]["id"].as_str().unwrap().to_owned()
    };
    let (first, second) = (tag(&account, "First").await, tag(&account, "Second").await);
    let theirs = tag(&stranger, "Theirs").await;
    let more = json!({"startTracking": false, "prompts": [
        "Which one?", {"prompt": "Which two?", "tags": [first, second, first]},
        {"prompt": "Which three?", "language": "en", "tags": [first]}, {"prompt": "Which three?", "tags": [second]},
    ]});
    let created = create(&world, &account, more).await.ok();
    assert_eq!(created["promptsGenerated"], 3, "{created}");
    let id = created["data"]["id"].as_str().unwrap();
    let path = format!("/entities/prompts?entityId={id}");
    let listed = world.get(&account, &path).await.ok();
    let tags: Vec<&Value> = listed["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| &row["tags"])
        .collect();
    assert_eq!(
        tags,
        [&json!([]), &json!([first, second]), &json!([first, second])]
    );
    for unknown in [theirs.as_str(), "", "0000000000000000"] {
        let more = json!({"domain": "other.com", "prompts": ["Which?", {"prompt": "Who?", "tags": [first, unknown]}]});
        let error = create(&world, &account, more).await.error(400);
        assert_eq!(error, "prompts[1].tags[1] must be the id of a tag from GET /tags");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_prompt_that_names_the_entitys_own_language_or_place_is_the_same_as_one_that_names_none() {
    let world = World::start().await;
    let account = world.account().await;
    let more = json!({"startTracking": false, "language": "de", "geolocation": "at", "prompts": [
        "Which?", {"prompt": "Which?", "language": "de"}, {"prompt": "Which?", "language": "DE", "geolocation": "AT"},
        {"prompt": "Which?", "language": "en"},
    ]});
    let created = create(&world, &account, more).await.ok();
    let languages: Vec<&Value> = created["prompts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| &p["language"])
        .collect();
    assert_eq!(languages, ["de", "en"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn equal_prompts_of_one_request_are_one() {
    let world = World::start().await;
    let account = world.account().await;
    let more = json!({"startTracking": false, "prompts": [
        "Which?", " Which? ", {"prompt": "Which?"}, {"prompt": "Which?", "language": null},
        "which?", {"prompt": "Which?", "geolocation": "uk"}, {"prompt": "Which?", "geolocation": "GB"},
    ]});
    let created = create(&world, &account, more).await.ok();
    let shown: Vec<String> = created["prompts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| {
            format!(
                "{} {}",
                p["prompt"].as_str().unwrap(),
                p["geolocation"].as_str().unwrap()
            )
        })
        .collect();
    assert_eq!(shown, ["Which? global", "which? global", "Which? gb"]);
    assert_eq!(created["promptsGenerated"], 3);
    assert_eq!(usage(&world, &account).await["prompts"]["used"], 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_empty_list_of_prompts_creates_and_generates_none() {
    let provider = FakeOpenAi::start(|_| answer("Acme.", &[], &[])).await;
    let world = World::asking(&provider).await;
    let account = world.account().await;
    for (domain, more) in [
        ("a.example", json!({"prompts": []})),
        ("b.example", json!({"prompts": [], "generatePrompts": true})),
        ("c.example", json!({"prompts": null, "generatePrompts": false})),
    ] {
        let mut more = more;
        more["domain"] = json!(domain);
        let created = create(&world, &account, more).await.ok();
        let told = ["promptsGenerated", "prompts", "trackingStarted"].map(|field| &created[field]);
        assert_eq!(told, [&json!(0), &json!([]), &json!(false)], "{domain}");
        let message = created["message"].as_str().unwrap();
        assert!(message.contains("prompt"), "{message}");
        assert_eq!(created["data"]["isActive"], true);
    }
    assert!(provider.asked().is_empty(), "{:?}", provider.asked());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ninety_prompts_fit_into_one_creation_and_ninety_one_do_not() {
    let world = World::start().await;
    let account = world.account().await;
    let prompts = |n: usize| (0..n).map(|n| format!("Which {n}?")).collect::<Vec<_>>();
    let before = usage(&world, &account).await;
    let many = json!({"prompts": prompts(91), "startTracking": false});
    let error = create(&world, &account, many).await.error(400);
    assert_eq!(error, "prompts must be at most 90 in one request");
    assert_eq!(usage(&world, &account).await, before);
    let most = json!({"prompts": prompts(90), "startTracking": false});
    let created = create(&world, &account, most).await.ok();
    assert_eq!(created["promptsGenerated"], 90);
    assert_eq!(usage(&world, &account).await["prompts"]["used"], 90);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_text_of_one_creation_is_at_most_200_kib() {
    let world = World::start().await;
    let account = world.account().await;
    // Each text has 4,000 bytes, so 51 texts fit and 52 do not.
    let prompts = |n: usize| {
        (0..n)
            .map(|n| format!("{n:04}{}", "𝒂".repeat(996)))
            .collect::<Vec<_>>()
    };
    let many = json!({"prompts": prompts(53), "startTracking": false});
    let error = create(&world, &account, many).await.error(400);
    assert!(error.starts_with("prompts"), "{error}");
    let most = json!({"prompts": prompts(51), "startTracking": false});
    assert_eq!(create(&world, &account, most).await.ok()["promptsGenerated"], 51);
}
