//! Every input that an endpoint reads is declared on its route, so that it is in [`REQUEST_VARIANTS`], which
//! the attacks use.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use acceptance::World;
use serde_json::{Value, json};

use super::Fixture;
use super::inputs::name;
use super::request_variants::REQUEST_VARIANTS;
use crate::docs::{root, sources};

/// The calls by which the functions read a parameter or field.
const READERS: [&str; 13] = [
    ".id(",
    ".text(",
    ".optional_id(",
    ".required_text(",
    ".text_list(",
    ".list(",
    ".flag(",
    ".whole_number(",
    ".item(",
    ".has(",
    ".is_given(",
    ".is_given_at_any_level(",
    "parse_reference(&body, ",
];

/// Returns every name that the functions' code passes to a reader.
fn read_in_code() -> BTreeSet<String> {
    let mut files = Vec::new();
    for folder in ["functions", "shared/api/src"] {
        sources(&root().join(folder), &mut files);
    }
    let mut names = BTreeSet::new();
    for file in files.iter().filter(|file| !is_checker(file)) {
        let text = fs::read_to_string(file).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap();
        for reader in READERS {
            for rest in code.split(&format!("{reader}\"")).skip(1) {
                names.insert(rest.split('"').next().unwrap().to_owned());
            }
        }
    }
    names
}

fn is_checker(file: &Path) -> bool {
    file.starts_with(root().join("functions/checker"))
}

/// Returns the declared names of each route, at the top level and within list items.
fn declared() -> BTreeMap<(&'static str, &'static str), BTreeSet<&'static str>> {
    let mut declared: BTreeMap<_, BTreeSet<&str>> = BTreeMap::new();
    for variant in REQUEST_VARIANTS.iter() {
        declared.entry((variant.route, "")).or_default();
        for (location, _) in &variant.inputs {
            let within = location.rsplit_once('.').map_or("", |(list, _)| name(list));
            declared
                .entry((variant.route, within))
                .or_default()
                .insert(name(location));
        }
    }
    declared
}

#[test]
fn every_name_that_the_code_reads_is_declared_and_every_declared_one_is_read() {
    let declared: BTreeSet<String> = declared().into_values().flatten().map(str::to_owned).collect();
    assert_eq!(read_in_code(), declared);
}

/// Collects the location of every field and list item in a value.
fn collect_locations(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let location = if at.is_empty() {
                    name.clone()
                } else {
                    format!("{at}.{name}")
                };
                found.push(location.clone());
                collect_locations(value, &location, found);
            }
        }
        Value::Array(items) => {
            for (n, item) in items.iter().enumerate() {
                collect_locations(item, &format!("{at}[{n}]"), found);
            }
        }
        _ => {}
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_mode_succeeds_with_every_place_declared_and_no_other() {
    let world = World::start().await;
    for variant in REQUEST_VARIANTS.iter() {
        let fixture = Fixture::new(&world).await;
        let good = variant.good(&fixture);
        let declared: BTreeSet<&str> = variant
            .inputs
            .iter()
            .map(|(location, _)| name(location))
            .collect();
        let mut sent: Vec<String> = good.query.iter().map(|(name, _)| name.clone()).collect();
        collect_locations(good.body.as_ref().unwrap_or(&json!(null)), "", &mut sent);
        for location in sent {
            assert!(declared.contains(name(&location)), "{} {location}", variant.route);
        }
        for (location, kind) in &variant.inputs {
            let there = good.get(location).is_some_and(|value| !value.is_null());
            // An input that accepts no value is absent.
            assert_eq!(
                there,
                *kind != super::inputs::InputKind::Never,
                "{} {location}",
                variant.route
            );
        }
        let answer = variant
            .endpoint()
            .send(&world, Some(&fixture.account.key), &good)
            .await;
        assert_eq!(answer.status, 200, "{}: {}", variant.route, answer.body);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_endpoint_reads_a_name_that_is_not_declared_for_it() {
    let world = World::start().await;
    let fixture = Fixture::new(&world).await;
    fixture.cancel(&world).await;
    let declared = declared();
    let mut all: BTreeSet<&str> = declared.values().flatten().copied().collect();
    all.insert("unheardOf");
    for variant in REQUEST_VARIANTS.iter() {
        let endpoint = variant.endpoint();
        let good = variant.good(&fixture);
        let expected = endpoint.send(&world, Some(&fixture.account.key), &good).await;
        for ((_, within), names) in declared.iter().filter(|((route, _), _)| *route == variant.route) {
            let mut sent = good.clone();
            for undeclared in all.difference(names) {
                // The value is repeated and has a type that no reader accepts.
                match &mut sent.body {
                    Some(body) if within.is_empty() => body[*undeclared] = json!({"a": 1.5}),
                    Some(body) => {
                        let items = body[*within].as_array_mut().into_iter().flatten();
                        for item in items.filter(|item| item.is_object()) {
                            item[*undeclared] = json!({"a": 1.5});
                        }
                    }
                    None => sent
                        .query
                        .extend(["\u{0}", "x"].map(|v| ((*undeclared).to_owned(), v.to_owned()))),
                }
            }
            let answer = endpoint.send(&world, Some(&fixture.account.key), &sent).await;
            assert_eq!(
                (answer.status, &answer.text),
                (expected.status, &expected.text),
                "{}",
                variant.route
            );
        }
        // An endpoint with a body reads no parameters, and one with parameters reads no body.
        let mut other = good.clone();
        match other.body {
            Some(_) => other
                .query
                .extend(all.iter().map(|name| ((*name).to_owned(), "\u{0}".to_owned()))),
            None => other.body = Some(json!(7)),
        }
        let answer = endpoint.send(&world, Some(&fixture.account.key), &other).await;
        assert_eq!(
            (answer.status, &answer.text),
            (expected.status, &expected.text),
            "{}",
            variant.route
        );
    }
}
