//! Body sizes, list lengths and nesting depths at and beyond their limits.

use acceptance::World;
use domain::limits::MAX_BODY_BYTES;
use serde_json::{Value, json};

use super::{Attack, CanceledWorkspace, Expected, Payload};
use crate::contract::inputs::{InputKind, RequestVariant, ResourceKind};
use crate::contract::request_variants::REQUEST_VARIANTS;
use crate::contract::{Fixture, RequestInput};

fn bodies() -> impl Iterator<Item = &'static RequestVariant> {
    REQUEST_VARIANTS
        .iter()
        .filter(|variant| variant.endpoint().takes_body())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_body_has_at_most_one_mebibyte_and_a_bounded_depth() {
    let canceled = CanceledWorkspace::new().await;
    let mut attacks = Vec::new();
    for variant in bodies() {
        let good = variant.good(&canceled.fixture).body.unwrap().to_string();
        let mut add = |bytes: Vec<u8>, expected: Expected, shown: String| {
            attacks.push(Attack {
                variant,
                sent: Payload::Bytes(bytes),
                expected,
                shown,
            });
        };
        for (length, expected) in [
            (MAX_BODY_BYTES, Expected::Accepted),
            (MAX_BODY_BYTES + 1, Expected::TooLarge),
            (5_000_000, Expected::TooLarge),
        ] {
            let mut padded = good.clone().into_bytes();
            padded.resize(length, b' ');
            add(padded, expected, format!("{length} bytes"));
        }
        for (depth, expected) in [
            (100, Expected::Accepted),
            (200, Expected::Rejected("body".to_owned())),
            (100_000, Expected::Rejected("body".to_owned())),
        ] {
            for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
                let deep = format!("{}1{}", open.repeat(depth), close.repeat(depth));
                let body = format!("{},\"unheardOf\":{deep}}}", &good[..good.len() - 1]);
                add(body.into_bytes(), expected.clone(), format!("{depth} deep"));
            }
        }
        // Many small things: fields, items, escapes.
        let many =
            |item: &dyn Fn(usize) -> String, count: usize| (0..count).map(item).collect::<Vec<_>>().join(",");
        let fields = many(&|n| format!("\"k{n}\":{n}"), 50_000);
        let items = many(&|_| "{}".to_owned(), 300_000);
        let escapes = "\\u0061".repeat(150_000);
        for more in [fields, format!("\"a\":[{items}]"), format!("\"a\":\"{escapes}\"")] {
            let body = format!("{},{more}}}", &good[..good.len() - 1]);
            add(body.into_bytes(), Expected::Accepted, "many".to_owned());
        }
        // Invalid or incomplete UTF-8.
        for bytes in [
            &b"\xff"[..],
            b"\xed\xa0\x80",
            b"\xc0\xaf",
            b"\xf4\x90\x80\x80",
            b"\xef\xbf",
            b"\0",
        ] {
            let body = good.replacen('{', "{\"unheardOf\":\"MARK\",", 1).into_bytes();
            let at = body.windows(4).position(|window| window == b"MARK").unwrap();
            let body = [&body[..at], bytes, &body[at + 4..]].concat();
            add(body, Expected::Rejected("body".to_owned()), format!("{bytes:?}"));
        }
        // A key twice, whose first letter is escaped once.
        let object = &good[1..];
        let key = object.split('"').nth(1).unwrap();
        let escaped = format!("\\u{:04x}{}", u32::from(key.as_bytes()[0]), &key[1..]);
        for key in [key, &escaped] {
            let twice = format!("{{\"{key}\":null,{object}");
            add(
                twice.into_bytes(),
                Expected::Rejected("body".to_owned()),
                format!("{key} twice"),
            );
        }
        for start in ["\u{feff}", "\u{a0}", "\0", "[", "{}"] {
            add(
                format!("{start}{good}").into_bytes(),
                Expected::Rejected("body".to_owned()),
                start.to_owned(),
            );
        }
    }
    let made = canceled.run_all(attacks, 1).await;
    println!("bodies: {made} attacks");
    assert!(made >= 300, "{made}");
}

/// Creates tags in the workspace.
async fn tags(world: &World, fixture: &Fixture) {
    for n in 0..20 {
        crate::tags::create(world, &fixture.account, &format!("Tag {n}")).await;
    }
}

/// Returns `count` different items for a list.
fn items(
    canceled: &CanceledWorkspace,
    tags: &[String],
    kind: InputKind,
    location: &str,
    count: usize,
) -> Option<Vec<Value>> {
    let item = |n: usize| match (location.rsplit('.').next().unwrap(), kind) {
        ("prompts" | "aliases", _) => Some(json!(format!("Which {n}?"))),
        ("updates", _) => {
            Some(json!({"promptId": format!("{}-p{n}", canceled.fixture.entity), "isActive": true}))
        }
        ("entities", _) => Some(json!(uuid::Uuid::from_u128(n as u128).to_string())),
        ("tags", _) => tags.get(n).map(|tag| json!(tag)),
        ("models", _) => Some(json!(canceled.fixture.id(ResourceKind::Model))),
        ("events", _) => Some(json!("check.completed")),
        ("entityIds", _) => Some(json!(canceled.fixture.id(ResourceKind::Entity))),
        ("assignees", _) => Some(json!(canceled.fixture.id(ResourceKind::Member))),
        (other, _) => panic!("what is in {other}?"),
    };
    (0..count).map(item).collect()
}

/// Returns the expected response to a list of valid length.
fn good_list(location: &str) -> Expected {
    match location {
        // Their items do not exist in this workspace.
        "updates" | "entities" => Expected::Unknown,
        _ => Expected::Accepted,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_list_is_taken_up_to_its_limit_and_refused_beyond_without_delay() {
    let canceled = CanceledWorkspace::prepared(tags).await;
    let listed = canceled.world.get(&canceled.fixture.account, "/tags").await.ok();
    let tags: Vec<String> = listed["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|t| t["id"].as_str().unwrap().to_owned())
        .collect();
    let (mut attacks, mut lists) = (Vec::new(), 0);
    for variant in bodies() {
        for (location, kind) in &variant.inputs {
            let InputKind::List(list) = *kind else {
                continue;
            };
            let (least, most) = (list.least, list.most);
            lists += 1;
            let good = variant.good(&canceled.fixture);
            let refused = Expected::Rejected((*location).to_owned());
            let mut add = |items: Vec<Value>, expected: &Expected| {
                let shown = format!("{location} {} items", items.len());
                let mut sent: RequestInput = good.at(location, &json!(items));
                // The primary is a member, so that only the list is invalid.
                let primary = items
                    .first()
                    .filter(|item| *location == "entities" && item.is_string());
                if let (Some(primary), Some(body)) = (primary, &mut sent.body) {
                    body["primaryEntity"] = primary.clone();
                }
                let expected = expected.clone();
                attacks.push(Attack {
                    variant,
                    sent: Payload::Input(sent),
                    expected,
                    shown,
                });
            };
            let list = |count| items(&canceled, &tags, *kind, location, count);
            for (count, expected) in [
                (least.max(1), good_list(location)),
                (most, good_list(location)),
                (most.saturating_add(1), refused.clone()),
            ] {
                if count < 1_000 {
                    add(list(count).unwrap(), &expected);
                }
            }
            if least > 0 {
                add(list(least - 1).unwrap(), &refused);
            }
            // As many as a body holds: one over and over again, and all different.
            let one = list(1).unwrap().remove(0);
            let count = 900_000 / (one.to_string().len() + 1);
            let again = match *location {
                "models" | "assignees" | "events" => Expected::Accepted,
                _ if location.ends_with("tags") => Expected::Accepted,
                _ => refused.clone(),
            };
            add(vec![one; count], &again);
            if let Some(different) = list(20_000.min(count)) {
                add(different, &again);
            }
            add(vec![json!(null); 200_000], &refused);
        }
    }
    let made = canceled.run_all(attacks, 1).await;
    println!("lists: {lists} lists, {made} attacks");
    assert!(lists >= 14 && made >= 75, "{lists} lists, {made} attacks");
}
