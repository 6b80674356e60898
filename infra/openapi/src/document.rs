//! The whole document.

use std::collections::BTreeMap;

use api::{BASE_PATH, Method};
use serde_json::{Map, Value, json};

use crate::errors::error;
use crate::operation::{Group, Operation};
use crate::response_schemas::ResponseSchemas;
use crate::schema::{field, object, text, whole};
use crate::{
    actions, analytics, entities, evidence, groups, naming, parameters, prompts, tags, tracking, workspace,
};

const ABOUT: &str = "\
Asks large language models the questions that a brand's customers ask, and counts how the answers mention and cite it.

- Every success is 200 with `success: true`; every error is `{\"error\": text}`. A path that does not exist is 404 \
(`UnknownPath`), a method that a path does not have 405 with `Allow` (`MethodNotAllowed`), both without a key. Requests \
are checked in this order: path, method, key, rate, body and parameters, subject, rules.
- Unknown parameters and fields are ignored. A parameter that is empty counts as absent, and so does a field that is \
`null`, unless it is said otherwise. A parameter may be given once; lists add up. Texts are trimmed.
- Days are UTC days. Instants are Unix milliseconds, or ISO timestamps in UTC where that is said.
- Where the operator names origins, browsers get CORS headers, and a preflight is answered 204 without a key.
- `x-extension: true` marks what goes beyond the contract. `x-rate-limit` gives the defaults of a key.
- The service's own answers to what it cannot even read (a body over 10 MB, no answer in 30 seconds) are API Gateway's: \
`{\"message\": text}`.
- The local host serves this document at `/v1/openapi.json` and renders it at `/docs`; a deployed service has neither path.";

/// All descriptions, in the order in which they are shown.
pub(crate) fn all() -> Vec<Group> {
    vec![
        entities::group(),
        prompts::group(),
        tags::group(),
        groups::group(),
        actions::group(),
        analytics::group(),
        workspace::group(),
    ]
}

/// The functions' own route tables: what is served.
pub(crate) fn served() -> Vec<(Method, &'static str)> {
    endpoints::all()
        .map(|endpoint| (endpoint.method, endpoint.path))
        .collect()
}

/// The OpenAPI document: every route that is served and described.
pub fn document() -> Value {
    let groups = all();
    let described: BTreeMap<(Method, &str), (&str, &Operation)> = groups
        .iter()
        .flat_map(|group| group.operations.iter().map(|operation| (group.tag, operation)))
        .map(|(tag, operation)| ((operation.method, operation.path), (tag, operation)))
        .collect();
    let has_body = |id: &str| {
        described
            .values()
            .any(|(_, operation)| operation.id == id && operation.has_request_body())
    };
    let mut schemas = ResponseSchemas::new();
    let mut paths: Map<String, Value> = Map::new();
    for route in served() {
        if let Some((tag, operation)) = described.get(&route) {
            let path = paths.entry(route.1).or_insert_with(|| json!({}));
            path[route.0.name().to_lowercase()] = operation.entry(tag, &mut schemas, has_body);
        }
    }
    let tag = |group: &Group| json!({"name": group.tag, "description": group.description});
    json!({
        "openapi": "3.1.1",
        "info": {
            "title": "Visibility Tracking Service",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "How language models mention and cite a brand",
            "description": ABOUT,
            "license": {"name": "MIT OR Apache-2.0", "identifier": env!("CARGO_PKG_LICENSE")},
        },
        "servers": [{"url": BASE_PATH, "description": "The service that serves this document"}],
        "security": [{"bearer": []}, {"apiKey": []}],
        "tags": groups.iter().map(tag).collect::<Vec<_>>(),
        "paths": paths,
        "components": components(schemas),
    })
}

fn components(schemas: ResponseSchemas) -> Value {
    json!({
        "securitySchemes": {
            "bearer": {
                "type": "http", "scheme": "bearer", "bearerFormat": "wsk_…",
                "description": "`Authorization: Bearer wsk_…`: the workspace's API key",
            },
            "apiKey": {
                "type": "apiKey", "in": "header", "name": "X-API-Key", "x-extension": true,
                "description": "The same key; where both are sent `Authorization` counts",
            },
        },
        "parameters": parameters::components(),
        "headers": {
            "RequestId": {"description": "Names the request in the log", "required": true,
            "schema": {"type": "string", "minLength": 1}},
            "RetryAfter": {
                "description": "Whole seconds, as in `retryAfter`", "required": true,
                "schema": {"type": "integer", "minimum": 1},
            },
            "Allow": {
                "description": "The path's methods, separated by commas", "required": true,
                "schema": {"type": "string", "pattern": "^[A-Z]+(, [A-Z]+)*$"},
            },
        },
        "responses": {
            "Unauthorized": error(401, &["Missing API key", "Invalid API key", "API key is deactivated"]),
            "TooLarge": error(413, &[&format!("body must be at most {} bytes", domain::limits::MAX_BODY_BYTES)]),
            "TooMany": error(429, &["Rate limit exceeded"]),
            "Internal": error(500, &["Internal server error"]),
            "Unavailable": error(503, &["The service is temporarily unavailable"]),
            "UnknownPath": error(404, &["Path not found"]),
            "MethodNotAllowed": error(405, &["Method not allowed"]),
        },
        "schemas": component_schemas(schemas),
    })
}

fn component_schemas(schemas: ResponseSchemas) -> Map<String, Value> {
    let message = || field("error", text("What is wrong"));
    let seconds = whole(1, 3_600, "Whole seconds until it may be tried again");
    let errors = vec![
        ("Error", object([message()])),
        (
            "TemporaryError",
            object([message(), field("retryAfter", seconds)]),
        ),
    ];
    [
        entities::schemas(),
        tracking::schemas(),
        naming::schemas(),
        prompts::schemas(),
        tags::schemas(),
        groups::schemas(),
        actions::schemas(),
        evidence::schemas(),
        analytics::schemas(),
        errors,
    ]
    .into_iter()
    .flatten()
    .map(|(name, schema)| (name.to_owned(), schema))
    .chain(schemas.into_components())
    .collect()
}
