//! The filters `models` and `promptIds`.

use acceptance::World;
use serde_json::json;
use store::ReplyRecorder;
use uuid::Uuid;

use super::{TrackedEntity, shipped_model};
use crate::store::table::new_entity;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn models_and_prompts_are_counted_as_the_filters_say() {
    let tracked = TrackedEntity::new(3, &["yes?", "a no?", "gpt-6-sol?"]).await;
    tracked.run_check().await;
    let models = tracked.world.models(&tracked.account).await;
    let prompts = tracked.prompt_ids().await;
    let (luna, sol) = (&models[0], &models[2]);
    for (parameters, counts) in [
        (format!("models={luna}"), (1, 3)),
        (format!("models={sol}"), (2, 3)),
        // Values of one filter are combined with OR. Repetition and order do not matter.
        (format!("models={sol},{luna}"), (3, 6)),
        (format!("models={luna}&models={sol}"), (3, 6)),
        (format!("models={luna},%20{sol}%20,,{luna}"), (3, 6)),
        (format!("models={}", sol.to_uppercase()), (2, 3)),
        (format!("promptIds={}", prompts[0]), (3, 3)),
        (format!("promptIds={}", prompts[1]), (0, 3)),
        (format!("promptIds={},{}", prompts[2], prompts[1]), (1, 6)),
        (
            format!("promptIds={}&promptIds={}", prompts[0], prompts[2]),
            (4, 6),
        ),
        // Different filters are combined with AND.
        (format!("promptIds={}&models={sol}", prompts[2]), (1, 1)),
        (
            format!("promptIds={},{}&models={sol},{luna}", prompts[0], prompts[2]),
            (3, 4),
        ),
        // A value that matches nothing adds nothing: the entity never asked this model.
        (format!("models={luna},{}", shipped_model("gemini")), (1, 3)),
        (format!("promptIds={},unknown", prompts[0]), (3, 3)),
        // An empty filter counts as absent.
        (
            "models=&promptIds=&tags=&period=&startDate=&endDate=".to_owned(),
            (4, 9),
        ),
        ("models=,%20,&promptIds=,".to_owned(), (4, 9)),
    ] {
        assert_eq!(tracked.counts(&parameters).await, [counts], "{parameters}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_filter_that_matches_nothing_gives_no_points() {
    let tracked = TrackedEntity::new(1, &["yes?"]).await;
    tracked.run_check().await;
    let other = tracked
        .world
        .entity(
            &tracked.account,
            "Other",
            "other.com",
            &["yes?"],
            serde_json::json!({"startTracking": false}),
        )
        .await;
    let models = tracked.world.models(&tracked.account).await;
    let prompt = tracked.prompt_ids().await.remove(0);
    for parameters in [
        // A model that was not asked, and one that cannot be asked here.
        format!("models={}", models[1]),
        format!("models={}", shipped_model("gemini")),
        format!("promptIds={}-p1", "0".repeat(16)),
        // Another entity's prompt with the same ordinal.
        format!("promptIds={other}-p1"),
        format!("promptIds={}-p2", tracked.entity),
        "promptIds=%C3%A9".to_owned(),
        format!("promptIds={prompt}&models={}", models[1]),
        "tags=unheard-of".to_owned(),
        "tags=%00,unheard-of".to_owned(),
        format!("tags=unheard-of&promptIds={prompt}&models={}", models[0]),
    ] {
        assert_eq!(tracked.counts(&parameters).await, [], "{parameters}");
    }
}

/// The operations that take the filter `models`, by a path that ends where it is added.
fn filtered_paths(entity: &str) -> Vec<String> {
    let document = openapi::document();
    let paths = document["paths"].as_object().unwrap();
    let takes_models = |operation: &serde_json::Value| {
        let parameters = operation["get"]["parameters"].as_array();
        parameters.into_iter().flatten().any(|parameter| {
            parameter["$ref"] == "#/components/parameters/Models" || parameter["name"] == "models"
        })
    };
    let of = |path: &String| {
        let cited = if path == "/entities/citations/details" {
            format!("&citedEntityUuid={}", Uuid::nil())
        } else {
            String::new()
        };
        format!("{path}?entityId={entity}{cited}")
    };
    paths
        .iter()
        .filter(|(_, operations)| takes_models(operations))
        .map(|(path, _)| of(path))
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_no_catalogue_has_is_refused_by_every_operation_that_filters() {
    let tracked = TrackedEntity::new(1, &["yes?"]).await;
    tracked.run_check().await;
    let (world, account) = (&tracked.world, &tracked.account);
    let known = &world.models(account).await[0];
    let paths = filtered_paths(&tracked.entity);
    assert!(paths.len() >= 9, "{paths:?}");
    let rule = "must be the uuid of a model from GET /models";
    let unknown = "7dea88c1-f321-5f64-bd14-a25dfce7807a";
    let named = format!("{rule}: {unknown} is unknown");
    for path in &paths {
        for (models, expected) in [
            (unknown.to_owned(), format!("models[0] {named}")),
            (unknown.to_uppercase(), format!("models[0] {named}")),
            (format!("{known},{unknown}"), format!("models[1] {named}")),
            // The id, the name, a list in JSON, and texts that are no ids.
            ("gpt-6-luna".to_owned(), format!("models[0] {rule}")),
            ("GPT-6%20Luna".to_owned(), format!("models[0] {rule}")),
            ("[]".to_owned(), format!("models[0] {rule}")),
            (format!("[%22{known}%22]"), format!("models[0] {rule}")),
            ("%00".to_owned(), format!("models[0] {rule}")),
            ("x".repeat(3_000), format!("models[0] {rule}")),
        ] {
            for format in ["", "&format=csv"] {
                let answer = world
                    .get(account, &format!("{path}&models={models}{format}"))
                    .await;
                assert_eq!(
                    (answer.status, &answer.body["error"]),
                    (400, &json!(expected)),
                    "{path} {models}"
                );
            }
        }
        let answer = world.get(account, &format!("{path}&models={known}")).await;
        assert_eq!(answer.status, 200, "{path}");
    }
    // Tools take the same filter.
    let mut tools = 0;
    for tool in mcp::TOOLS
        .iter()
        .filter(|tool| tool.arguments().iter().any(|one| one.input.name == "models"))
    {
        let mut asked = json!({"entityId": tracked.entity, "models": [known, unknown]});
        if tool.name == "cited_urls" {
            asked["citedEntityUuid"] = Uuid::nil().to_string().into();
        }
        let refused = world.call_tool(account, tool.name, &asked).await;
        assert!(refused.is_error, "{}", tool.name);
        assert_eq!(refused.text, format!("models[1] {named}"), "{}", tool.name);
        asked["models"] = json!(["GPT-6 Luna"]);
        let refused = world.call_tool(account, tool.name, &asked).await;
        assert_eq!(refused.text, format!("models[0] {rule}"), "{}", tool.name);
        tools += 1;
    }
    assert_eq!(tools, paths.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_left_the_catalogue_stays_known_where_it_was_asked() {
    let world = World::start().await;
    let account = world.account().await;
    let retired = Uuid::from_u128(7);
    let mut ids = Vec::new();
    for (domain, models) in [
        ("acme.com", vec![retired]),
        ("other.com", vec![shipped_model("openai")]),
    ] {
        let new = new_entity(&account.tenant, domain, 1, &models);
        let created = world
            .host
            .store
            .create_entity(&account.tenant, &new, None, &ReplyRecorder::disabled())
            .await;
        ids.push(created.unwrap().entity.id.to_string());
    }
    for (entity, status) in [(&ids[0], 200), (&ids[1], 400)] {
        let path = format!("/trends/visibility?entityId={entity}&models={retired}");
        assert_eq!(world.get(&account, &path).await.status, status, "{entity}");
    }
    // In a group, the models of all entities that count are known.
    let group = json!({"primaryEntity": ids[1], "entities": ids});
    world.post(&account, "/domain-groups", &group).await.ok();
    for (union, status) in [("true", 200), ("false", 400)] {
        let path = format!(
            "/trends/visibility?entityId={}&models={retired}&union={union}",
            ids[1]
        );
        assert_eq!(world.get(&account, &path).await.status, status, "{union}");
    }
}
