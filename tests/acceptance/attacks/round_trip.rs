//! Every accepted text reads back as it was sent.

use acceptance::World;
use reqwest::Method;
use serde_json::{Value, json};

use super::{Expected, expected, values};
use crate::contract::Fixture;
use crate::contract::inputs::{InputKind, RequestVariant};
use crate::contract::request_variants::REQUEST_VARIANTS;

/// Returns whether `text` is one of the strings in `value`.
fn contains_text(value: &Value, text: &str) -> bool {
    match value {
        Value::String(shown) => shown == text,
        Value::Array(items) => items.iter().any(|item| contains_text(item, text)),
        Value::Object(fields) => fields.values().any(|value| contains_text(value, text)),
        _ => false,
    }
}

/// Deletes what a request created, so that the next request does not conflict with it.
async fn undo(world: &World, fixture: &Fixture, variant: &RequestVariant, made: &Value) {
    let account = &fixture.account;
    let id = |value: &Value| value.as_str().unwrap().to_owned();
    let paths = match variant.route {
        "POST /tags" => vec![format!("/tags?tagId={}", id(&made["data"]["id"]))],
        "POST /entities" => vec![format!("/entities?entityId={}", id(&made["data"]["id"]))],
        "POST /domain-groups" => vec![format!("/domain-groups?groupId={}", id(&made["data"]["id"]))],
        "POST /entities/addprompt" => {
            let one = made.get("promptId").into_iter();
            let all = one.chain(made["promptIds"].as_array().into_iter().flatten());
            all.map(|prompt| format!("/entities/prompts?promptId={}", id(prompt)))
                .collect()
        }
        "POST /entities/name-request" => {
            let (store, verdict) = (&world.host.store, domain::name_request::ReviewDecision::Reject);
            let entity = fixture.entity.parse().unwrap();
            store
                .review_name(&account.tenant, &entity, verdict, "")
                .await
                .unwrap();
            Vec::new()
        }
        patch => {
            assert!(patch.starts_with("PATCH "), "{patch}");
            Vec::new()
        }
    };
    for path in paths {
        world.send(Some(account), Method::DELETE, &path, None).await.ok();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_text_that_is_taken_reads_back_as_it_was_sent() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    let (mut read_back, mut locations) = (0, 0);
    for variant in REQUEST_VARIANTS.iter() {
        let mut good = variant.good(&fixture);
        if variant.route == "POST /entities" {
            good = good.at("startTracking", &json!(false));
        }
        for (location, kind) in &variant.inputs {
            let (InputKind::Name(most) | InputKind::Text(most) | InputKind::Note(most)) = *kind else {
                continue;
            };
            locations += 1;
            let longest = ["a", "𝒂"].map(|character| character.repeat(most));
            let lines = [" two\nlines\r\n\tand more ".to_owned()];
            // Each field gets every second text, and the next field the others.
            let special = values::special().skip(locations % 2).step_by(2);
            let texts = special.map(str::to_owned).chain(longest).chain(lines);
            for text in texts.filter(|text| expected(variant, location, *kind, text) == Expected::Accepted) {
                let sent = good.at(location, &json!(text));
                let answer = variant
                    .endpoint()
                    .send(&world, Some(&fixture.account.key), &sent)
                    .await;
                let made = answer.ok();
                let listed = if variant.route.ends_with("addprompt") {
                    let path = format!("/entities/prompts?entityId={}", fixture.entity);
                    world.get(&fixture.account, &path).await.ok()
                } else {
                    made.clone()
                };
                assert!(
                    contains_text(&listed, text.trim()),
                    "{} {location} {text:?}: {listed}",
                    variant.route
                );
                undo(&world, &fixture, variant, &made).await;
                read_back += 1;
            }
        }
    }
    println!("kept texts: {locations} fields, {read_back} texts");
    assert!(
        locations >= 15 && read_back >= 400,
        "{locations} fields, {read_back} texts"
    );
}
