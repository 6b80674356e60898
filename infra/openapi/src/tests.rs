//! Rules that the document keeps.

use std::collections::BTreeSet;

use domain::board::SourceType;
use serde_json::Value;
use strum::VariantArray;

use crate::document::{document, served, tags};
use crate::{FILE, printed};

#[test]
fn every_route_is_described_and_every_description_is_a_route() {
    let described: Vec<_> = tags()
        .iter()
        .flat_map(|tag| &tag.operations)
        .map(|operation| (operation.method, operation.path))
        .collect();
    let distinct: BTreeSet<_> = described.iter().copied().collect();
    assert_eq!(distinct.len(), described.len(), "described twice: {described:?}");
    assert_eq!(distinct, served().into_iter().collect());
}

#[test]
fn the_file_is_what_the_generator_prints() {
    let kept = std::fs::read_to_string(FILE).unwrap();
    assert!(kept == printed(), "run `cargo run -p openapi`");
}

/// Visits every value in `value` with its JSON pointer.
fn each<'a>(place: &str, value: &'a Value, visit: &mut dyn FnMut(&str, &'a Value)) {
    visit(place, value);
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                each(&format!("{place}/{}", name.replace('/', "~1")), value, visit);
            }
        }
        Value::Array(values) => {
            for (n, value) in values.iter().enumerate() {
                each(&format!("{place}/{n}"), value, visit);
            }
        }
        _ => {}
    }
}

/// The operations with their ids.
fn operations(document: &Value) -> Vec<(&str, &Value)> {
    let paths = document["paths"].as_object().unwrap().values();
    let all = paths.flat_map(|methods| methods.as_object().unwrap().values());
    all.map(|one| (one["operationId"].as_str().unwrap(), one))
        .collect()
}

#[test]
fn every_reference_leads_to_a_component_and_every_component_is_used() {
    let document = document();
    let mut used = BTreeSet::new();
    each("", &document, &mut |place, value| {
        if let Some(target) = value.get("$ref").and_then(Value::as_str) {
            assert!(document.pointer(&target[1..]).is_some(), "{place}: {target}");
            used.insert(target.to_owned());
        }
    });
    let mut components = BTreeSet::new();
    for kind in ["schemas", "parameters", "headers", "responses"] {
        for name in document["components"][kind].as_object().unwrap().keys() {
            components.insert(format!("#/components/{kind}/{name}"));
        }
    }
    // What no operation answers.
    for name in ["UnknownPath", "MethodNotAllowed"] {
        used.insert(format!("#/components/responses/{name}"));
    }
    assert_eq!(used, components);
}

#[test]
fn every_operation_parameter_and_property_says_what_it_is() {
    let document = document();
    each("", &document, &mut |place, value| {
        if value.get("in").is_some() {
            assert!(value["description"].is_string(), "{place}");
        }
        for (name, property) in value
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
        {
            // In a condition a property is only what is said of it elsewhere.
            if place.contains("/anyOf/") {
                continue;
            }
            let says = |schema: &Value| schema["description"].is_string() || schema["$ref"].is_string();
            let shape = property["type"] == "object"
                || property["anyOf"]
                    .as_array()
                    .is_some_and(|any| any.iter().any(says));
            assert!(says(property) || shape, "{place}/{name}");
        }
    });
    for (id, operation) in operations(&document) {
        assert!(operation["summary"].is_string(), "{id}");
        let answer = &operation["responses"]["200"]["content"]["application/json"];
        assert!(
            answer["example"].is_object() || answer["examples"].is_object(),
            "{id}"
        );
        let body = &operation["requestBody"]["content"]["application/json"];
        assert!(body.is_null() || body["example"].is_object(), "{id}");
    }
}

#[test]
fn every_link_leads_to_an_operation_that_takes_its_values() {
    let document = document();
    let operations = operations(&document);
    let ids: BTreeSet<&str> = operations.iter().map(|(id, _)| *id).collect();
    assert_eq!(ids.len(), operations.len(), "an operation's id is there twice");
    let mut linked = BTreeSet::new();
    for (id, operation) in &operations {
        for (name, link) in operation["responses"]["200"]["links"]
            .as_object()
            .into_iter()
            .flatten()
        {
            let target = operations.iter().find(|(id, _)| id == name);
            let (_, target) = target.unwrap_or_else(|| panic!("{id}: {name}"));
            for given in link["parameters"].as_object().into_iter().flatten() {
                let takes = target["parameters"].as_array().unwrap().iter().any(|parameter| {
                    let reference = parameter["$ref"].as_str().map(|target| &target[1..]);
                    let parameter = reference.map_or(parameter, |place| document.pointer(place).unwrap());
                    parameter["name"] == given.0.as_str()
                });
                assert!(takes, "{id}: {name} takes no {}", given.0);
            }
            for given in link["requestBody"].as_object().into_iter().flatten() {
                let schema = target["requestBody"].to_string();
                assert!(
                    schema.contains(&format!("\"{}\":", given.0)),
                    "{id}: {name} reads no {}",
                    given.0
                );
            }
            linked.insert(name.as_str());
        }
    }
    // What is asked without an id has nothing to be linked by.
    let alone = [
        "getWorkspace",
        "listEntities",
        "listMembers",
        "listModels",
        "listTags",
        "createDomainGroup",
        "createTag",
    ];
    let alone: BTreeSet<&str> = alone.into_iter().collect();
    assert_eq!(ids.difference(&linked).copied().collect::<BTreeSet<_>>(), alone);
}

#[test]
fn evidence_has_a_form_for_every_rule() {
    let document = document();
    let forms = document["components"]["schemas"]["Evidence"]["oneOf"]
        .as_array()
        .unwrap();
    let rules: BTreeSet<&str> = forms
        .iter()
        .map(|form| form["properties"]["rule"]["const"].as_str().unwrap())
        .collect();
    assert_eq!(
        rules,
        SourceType::VARIANTS.iter().map(SourceType::into_str).collect()
    );
}

/// What the contract has; everything else is marked.
const CONTRACT: [&str; 21] = [
    "listQueryFanouts",
    "updateTaskStatus",
    "dismissActionable",
    "createDomainGroup",
    "updateDomainGroup",
    "listDomainGroups",
    "listCitations",
    "getCitationDetails",
    "createEntity",
    "listEntities",
    "updatePrompt",
    "addPrompt",
    "listPrompts",
    "listActions",
    "getCitationTrend",
    "getVisibilityTrend",
    "getNameRequest",
    "getTrackingStatus",
    "getWorkspace",
    "listMembers",
    "listModels",
];

#[test]
fn what_is_not_in_the_contract_is_marked_as_an_extension() {
    let document = document();
    for (id, operation) in operations(&document) {
        let is_marked = operation["x-extension"] == true;
        assert_ne!(is_marked, CONTRACT.contains(&id), "{id}");
    }
}
