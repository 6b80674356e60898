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
