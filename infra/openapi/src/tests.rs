//! Rules that the document must follow.

use std::collections::BTreeSet;

use api::{Body, Input, Kind};
use domain::board::SourceType;
use domain::limits::{
    MAX_GROUP_MEMBERS, MAX_RANGE_DAYS, MAX_TABLE_ROWS, MAX_TAGS_PER_PROMPT, MIN_GROUP_MEMBERS,
};
use domain::webhook::EventKind;
use serde_json::Value;
use strum::VariantArray;

use crate::document::{document, tags};
use crate::{FILE, printed};

#[test]
fn every_route_is_described_and_every_description_is_a_route() {
    let described: Vec<_> = tags()
        .iter()
        .flat_map(|tag| &tag.operations)
        .map(|operation| operation.id)
        .collect();
    let distinct: BTreeSet<_> = described.iter().copied().collect();
    assert_eq!(distinct.len(), described.len(), "described twice: {described:?}");
    assert_eq!(
        distinct,
        crate::endpoints::all().map(|endpoint| endpoint.id).collect()
    );
}

#[test]
fn the_file_is_what_the_generator_prints() {
    let file = std::fs::read_to_string(FILE).unwrap();
    assert!(file == printed(), "run `cargo run -p openapi`");
}

/// Visits `value`, whose JSON pointer is `pointer`, and every value in it.
fn visit_values<'a>(pointer: &str, value: &'a Value, visit: &mut dyn FnMut(&str, &'a Value)) {
    visit(pointer, value);
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                visit_values(&format!("{pointer}/{}", name.replace('/', "~1")), value, visit);
            }
        }
        Value::Array(values) => {
            for (n, value) in values.iter().enumerate() {
                visit_values(&format!("{pointer}/{n}"), value, visit);
            }
        }
        _ => {}
    }
}

/// Returns the operations with their ids.
fn operations(document: &Value) -> Vec<(&str, &Value)> {
    let paths = document["paths"].as_object().unwrap().values();
    let all = paths.flat_map(|methods| methods.as_object().unwrap().values());
    all.map(|one| (one["operationId"].as_str().unwrap(), one))
        .collect()
}

#[test]
fn every_reference_resolves_to_a_component_and_every_component_is_used() {
    let document = document();
    let mut used = BTreeSet::new();
    visit_values("", &document, &mut |pointer, value| {
        if let Some(target) = value.get("$ref").and_then(Value::as_str) {
            assert!(document.pointer(&target[1..]).is_some(), "{pointer}: {target}");
            used.insert(target.to_owned());
        }
    });
    let mut components = BTreeSet::new();
    for kind in ["schemas", "parameters", "headers", "responses"] {
        for name in document["components"][kind].as_object().unwrap().keys() {
            components.insert(format!("#/components/{kind}/{name}"));
        }
    }
    // No operation has these responses.
    for name in ["UnknownPath", "MethodNotAllowed"] {
        used.insert(format!("#/components/responses/{name}"));
    }
    assert_eq!(used, components);
}

#[test]
fn every_operation_parameter_and_property_is_described() {
    let document = document();
    visit_values("", &document, &mut |pointer, value| {
        if value.get("in").is_some() {
            assert!(value["description"].is_string(), "{pointer}");
        }
        for (name, property) in value
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
        {
            // A property in a condition is described elsewhere.
            if pointer.ends_with("/not") || pointer.contains("/not/") {
                continue;
            }
            let is_described =
                |schema: &Value| schema["description"].is_string() || schema["$ref"].is_string();
            let has_described_parts = property["type"] == "object"
                || property["anyOf"]
                    .as_array()
                    .is_some_and(|any| any.iter().any(is_described));
            assert!(is_described(property) || has_described_parts, "{pointer}/{name}");
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

/// Follows a reference into the document. Returns any other schema as it is.
fn resolved<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    let target = schema["$ref"].as_str().map(|target| &target[1..]);
    target.map_or(schema, |pointer| document.pointer(pointer).unwrap())
}

/// Returns whether a schema, or one of its forms, has a property.
fn has_field(document: &Value, schema: &Value, name: &str) -> bool {
    let schema = resolved(document, schema);
    let mut forms = schema["oneOf"].as_array().into_iter().flatten();
    schema["properties"].get(name).is_some() || forms.any(|form| has_field(document, form, name))
}

#[test]
fn every_link_names_an_operation_that_accepts_its_values() {
    let document = document();
    let operations = operations(&document);
    let ids: BTreeSet<&str> = operations.iter().map(|(id, _)| *id).collect();
    assert_eq!(ids.len(), operations.len(), "an operation's id occurs twice");
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
                let accepts = target["parameters"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .any(|parameter| resolved(&document, parameter)["name"] == given.0.as_str());
                assert!(accepts, "{id}: {name} has no parameter {}", given.0);
            }
            for given in link["x-request-body"].as_object().into_iter().flatten() {
                let schema = &target["requestBody"]["content"]["application/json"]["schema"];
                assert!(
                    has_field(&document, schema, given.0),
                    "{id}: {name} has no field {}",
                    given.0
                );
            }
            linked.insert(name.as_str());
        }
    }
    // No response contains a value that these operations need.
    let unlinked = [
        "getKey",
        "getWorkspace",
        "listEntities",
        "listEntityOverviews",
        "listMembers",
        "listModels",
        "listTags",
        "listWebhooks",
        "createDomainGroup",
        "createTag",
        "createWebhook",
    ];
    let unlinked: BTreeSet<&str> = unlinked.into_iter().collect();
    assert_eq!(
        ids.difference(&linked).copied().collect::<BTreeSet<_>>(),
        unlinked
    );
}

/// Visits every schema that is written at another schema's place, and so is no component.
fn visit_inline_schemas(document: &Value, visit: &mut dyn FnMut(&str, &Value)) {
    visit_values("", document, &mut |pointer, value| {
        let is_component = pointer.starts_with("/components/schemas/") && pointer.matches('/').count() == 3;
        let is_part_of = |part: &str| format!("{pointer}/").contains(&format!("/{part}/"));
        // A condition is no value. The members of `properties` are schemas, and the object itself is none.
        let is_schema = !is_component
            && !["not", "example", "examples", "links", "x-rate-limit"]
                .iter()
                .any(|part| is_part_of(part))
            && !pointer.ends_with("/properties");
        if is_schema {
            visit(pointer, value);
        }
    });
}

#[test]
fn every_object_and_every_enum_is_a_component_so_that_generators_invent_no_names() {
    let document = document();
    visit_inline_schemas(&document, &mut |pointer, schema| {
        for keyword in ["properties", "additionalProperties", "enum", "title"] {
            assert!(
                schema.get(keyword).is_none() || pointer == "/info",
                "{pointer} has {keyword}: give it a title in infra/openapi or a name in `schemars(rename)`"
            );
        }
        assert_ne!(schema["type"], "object", "{pointer}");
    });
}

#[test]
fn the_names_of_components_are_different_classes_and_modules_in_every_language() {
    let document = document();
    let mut folded = BTreeSet::new();
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        // Schemars numbers types of one name, and two titles of one name get an underscore.
        let is_pascal_case =
            name.starts_with(char::is_uppercase) && name.bytes().all(|byte| byte.is_ascii_alphabetic());
        assert!(is_pascal_case, "{name}");
        assert!(!name.ends_with("View"), "{name} is not named for clients");
        assert!(
            folded.insert(name.to_lowercase()),
            "{name} differs from another name only in case"
        );
        // A generated class names a variable after itself and others after its properties.
        for property in schema["properties"].as_object().into_iter().flatten() {
            assert_ne!(
                property.0.to_lowercase(),
                name.to_lowercase(),
                "{name} has a property of its own name"
            );
        }
        assert!(schema.get("title").is_none(), "{name} has a second name");
    }
}

#[test]
fn properties_have_no_default_because_generators_then_require_them() {
    let document = document();
    visit_values(
        "/components/schemas",
        &document["components"]["schemas"],
        &mut |pointer, schema| {
            let is_property = pointer.rsplit('/').nth(1) == Some("properties");
            assert!(
                !is_property || schema.get("default").is_none(),
                "{pointer}: describe the default in words"
            );
        },
    );
}

#[test]
fn there_is_nothing_that_widely_used_generators_do_not_take() {
    let document = document();
    visit_values("", &document, &mut |pointer, value| {
        // Java and others refuse the document if this is no string.
        let link = pointer.rsplit('/').nth(1) == Some("links");
        assert!(
            !link || value.get("requestBody").is_none_or(Value::is_string),
            "{pointer}"
        );
        // TypeScript-fetch imports a type `Null`, which it does not make.
        let property = pointer.rsplit('/').nth(1) == Some("properties");
        assert!(
            !property || pointer.contains("/not/") || value["type"] != "null",
            "{pointer}"
        );
    });
    // Java and Go make one class of a tag, in which the messages would replace the requests.
    let tags_of = |part: &str| -> BTreeSet<&str> {
        let items = document[part].as_object().unwrap().values();
        let operations = items.flat_map(|item| item.as_object().unwrap().values());
        operations.map(|one| one["tags"][0].as_str().unwrap()).collect()
    };
    let (requests, messages) = (tags_of("paths"), tags_of("webhooks"));
    assert!(requests.is_disjoint(&messages), "{messages:?}");
    let described = document["tags"].as_array().unwrap().iter();
    let described: BTreeSet<&str> = described.map(|tag| tag["name"].as_str().unwrap()).collect();
    assert_eq!(
        requests.union(&messages).copied().collect::<BTreeSet<_>>(),
        described
    );
    // Orval and others make types of these names for each operation.
    for (id, _) in operations(&document) {
        for part in [
            "Result",
            "Response",
            "Responses",
            "Data",
            "Error",
            "Errors",
            "Params",
            "Body",
        ] {
            let name = format!("{}{}{part}", id[..1].to_uppercase(), &id[1..]);
            assert!(document["components"]["schemas"].get(&name).is_none(), "{name}");
        }
    }
}

#[test]
fn bodies_and_replies_are_named_by_their_operations() {
    let document = document();
    for (id, operation) in operations(&document) {
        let name = format!("{}{}", id[..1].to_uppercase(), &id[1..]);
        for (part, body) in [
            ("Reply", &operation["responses"]["200"]),
            ("Request", &operation["requestBody"]),
        ] {
            let schema = &body["content"]["application/json"]["schema"];
            let expected = format!("#/components/schemas/{name}{part}");
            assert!(body.is_null() || schema["$ref"] == expected.as_str(), "{id}");
        }
    }
}

#[test]
fn every_kind_of_event_has_a_message() {
    let document = document();
    let described: BTreeSet<&str> = document["webhooks"]
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(
        described,
        EventKind::VARIANTS.iter().map(EventKind::into_str).collect()
    );
}

#[test]
fn descriptions_state_the_limits() {
    let text = document().to_string();
    for limit in [
        format!("A range includes both ends and has at most {MAX_RANGE_DAYS} days."),
        format!("A CSV table can have {MAX_TABLE_ROWS}, and has all without `limit`."),
        format!("All tags of the prompt, at most {MAX_TAGS_PER_PROMPT} different ones"),
        format!("The members: {MIN_GROUP_MEMBERS} to {MAX_GROUP_MEMBERS} different entities"),
    ] {
        assert!(text.contains(&limit), "{limit}");
    }
}

/// Calls `check` with the kinds of all inputs, and of what is in their lists.
fn visit_kinds(inputs: &[Input], check: &mut dyn FnMut(Kind)) {
    for input in inputs {
        check(input.kind);
        if let Kind::List(list) = input.kind {
            check(list.item);
            if let Kind::Object(_, fields) | Kind::TextOrObject(_, fields) = list.item {
                visit_kinds(fields, check);
            }
        }
    }
}

#[test]
fn the_words_that_an_input_takes_are_those_of_the_type_that_is_shown() {
    let document = document();
    let mut found = 0;
    for endpoint in crate::endpoints::all() {
        let bodies: &[(&str, &[Input])] = match endpoint.body {
            Body::None => &[],
            Body::Fields(fields) => &[("", fields)],
            Body::OneOf(forms) => forms,
        };
        for inputs in bodies.iter().map(|(_, fields)| *fields).chain([endpoint.query]) {
            visit_kinds(inputs, &mut |kind| {
                if let Kind::Word(name, words) = kind {
                    let shown = &document["components"]["schemas"][name]["enum"];
                    assert_eq!(*shown, serde_json::json!(words), "{name}");
                    found += 1;
                }
            });
        }
    }
    assert!(found >= 7, "{found}");
}

#[test]
fn evidence_has_a_form_for_every_rule() {
    let document = document();
    let forms = document["components"]["schemas"]["Evidence"]["oneOf"]
        .as_array()
        .unwrap();
    let rules: BTreeSet<&str> = forms
        .iter()
        .map(|form| {
            resolved(&document, form)["properties"]["rule"]["const"]
                .as_str()
                .unwrap()
        })
        .collect();
    assert_eq!(
        rules,
        SourceType::VARIANTS.iter().map(SourceType::into_str).collect()
    );
}

/// Returns the properties of a schema, with those of its parts. A schema that also accepts `null` has those
/// of the other form.
fn properties<'a>(document: &'a Value, schema: &'a Value) -> Vec<(&'a str, &'a Value)> {
    let forms = schema["anyOf"].as_array();
    let schema = forms.and_then(|forms| forms.first()).unwrap_or(schema);
    let target = schema["$ref"].as_str();
    let schema = target.map_or(schema, |target| document.pointer(&target[1..]).unwrap());
    let own = schema["properties"].as_object().into_iter().flatten();
    own.map(|(name, property)| (name.as_str(), property)).collect()
}

#[test]
fn a_table_has_columns_for_every_field_of_its_rows() {
    let document = document();
    // These tables have rows of their own.
    let other_rows = ["/trends/citations", "/trends/compare", "/entities/actions"];
    let tables = crate::endpoints::all().filter(|endpoint| !endpoint.columns.is_empty());
    let tables: Vec<_> = tables
        .filter(|endpoint| !other_rows.contains(&endpoint.path))
        .collect();
    assert!(tables.len() > 9);
    for endpoint in tables {
        let operation = &document["paths"][endpoint.path]["get"];
        let response = &operation["responses"]["200"]["content"]["application/json"]["schema"];
        let rows = properties(&document, response);
        let (_, rows) = rows.iter().find(|(name, _)| *name == "data").unwrap();
        let mut columns = endpoint.columns.iter().peekable();
        for (field, schema) in properties(&document, &rows["items"]) {
            let starts = |column: &&&str| {
                let parts: Vec<&str> = column.split('.').collect();
                parts[0] == field || schema.to_string().contains("nterval") && parts[0].starts_with(field)
            };
            let mut found = 0;
            while let Some(column) = columns.next_if(starts) {
                let (_, part) = column.split_once('.').unwrap_or_default();
                let parts = properties(&document, schema.get("items").unwrap_or(schema));
                let (part, _) = part.split_once('.').unwrap_or((part, ""));
                let stem = part.trim_end_matches("Low").trim_end_matches("High");
                assert!(
                    part.is_empty() || parts.iter().any(|(name, _)| *name == part || *name == stem),
                    "{column}"
                );
                found += 1;
            }
            assert!(found > 0, "{} has no column for {field}", endpoint.path);
        }
        assert_eq!(columns.next(), None, "{}", endpoint.path);
    }
}

/// The operations of the contract. All others are marked as extensions.
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
fn operations_outside_the_contract_are_marked_as_extensions() {
    let document = document();
    for (id, operation) in operations(&document) {
        let is_marked = operation["x-extension"] == true;
        assert_ne!(is_marked, CONTRACT.contains(&id), "{id}");
    }
}
