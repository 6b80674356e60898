//! Duplicate JSON keys in any spelling.

use serde_json::json;

use super::{Attack, CanceledWorkspace, Expected, Payload};
use crate::contract::inputs::name;
use crate::contract::request_variants::REQUEST_VARIANTS;

/// Returns the key with its first character escaped.
fn escaped(key: &str) -> String {
    let first = key.chars().next().unwrap();
    format!("\\u{:04x}{}", u32::from(first), &key[first.len_utf8()..])
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_twice_is_refused_in_every_object_and_spelling() {
    let canceled = CanceledWorkspace::new().await;
    let mut attacks = Vec::new();
    for variant in REQUEST_VARIANTS
        .iter()
        .filter(|variant| variant.endpoint().takes_body())
    {
        let good = variant.good(&canceled.fixture);
        for (location, _) in variant
            .inputs
            .iter()
            .filter(|(location, _)| !location.ends_with(']'))
        {
            // The object that holds the field, as text.
            let parent = location.rsplit_once('.').map_or("", |(parent, _)| parent);
            let whole = good.body.clone().unwrap();
            let object = if parent.is_empty() {
                whole.clone()
            } else {
                good.get(parent).unwrap()
            };
            let Some(value) = object.get(name(location)) else {
                continue;
            };
            let text = object.to_string();
            for key in [name(location).to_owned(), escaped(name(location))] {
                for value in [value.clone(), json!(null), json!(7)] {
                    let twice = format!("{},\"{key}\":{value}}}", &text[..text.len() - 1]);
                    let body = whole.to_string().replacen(&text, &twice, 1);
                    attacks.push(Attack {
                        variant,
                        sent: Payload::Bytes(body.into_bytes()),
                        expected: Expected::Rejected("body".to_owned()),
                        shown: format!("{location} twice"),
                    });
                }
            }
        }
    }
    let made = canceled.run_all(attacks, 8).await;
    println!("duplicate keys: {made} attacks");
    assert!(made >= 350, "{made}");
}
