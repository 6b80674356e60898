//! Assembles the complete document.

use api::BASE_PATH;
use serde_json::{Map, Value, json};

use crate::components::move_titled_schemas;
use crate::errors::{self, response as error, response_without_key as error_without_key};
use crate::operation::{Operation, Tag};
use crate::response_schemas::ResponseSchemas;
use crate::{
    actions, analytics, domain_groups, entities, messages, parameters, prompts, tags, webhooks, workspace,
};

const DESCRIPTION: &str = "\
Asks large language models the questions that a brand's customers ask, and counts how the answers mention and cite it.

- Every success is 200 with `success: true`. Every error is `{\"error\": text}`. A path that does not exist is 404 \
(`UnknownPath`). A method that a path does not have is 405 with `Allow` (`MethodNotAllowed`). Neither needs a key. \
Requests are checked in this order: path, method, key, rate limit, scope of the key, body and parameters, the named items, rules.
- Unknown parameters and fields are ignored. An empty parameter counts as absent, unless it is an id, which must not be \
empty. A field that is `null` counts as absent, unless the description says otherwise. A parameter can be given only once, except lists, whose values are combined. Texts are trimmed.
- Days are UTC days. Instants are Unix milliseconds, or ISO timestamps in UTC where the description says so.
- Lists and trends are also tables: `format=csv`, or `Accept: text/csv` where `Accept` does not prefer JSON. A table has the rows and figures \
of the JSON response, and without `limit` the rows of all pages. It is UTF-8 by RFC 4180, and its first row has the names of the fields. Intervals \
have two columns, lists are joined by spaces, and a text that a spreadsheet would read as a formula begins with an apostrophe. A table of more \
than 5 MB is refused, with how to page. Errors are JSON.
- If the operator allows origins, browsers get CORS headers, and a preflight request gets 204 without a key.
- `x-extension: true` marks everything that is not in the contract. `x-rate-limit` gives the default limits of a key; \
`RateLimit` tells what is left. No response may be cached (`Cache-Control: no-store`).
- API Gateway answers requests that do not reach the service (a body over 10 MB, no answer within 30 seconds) with \
`{\"message\": text}`.
- The service has this document at `/openapi.json` and as a page at `/docs`, and an index of it for language models at `/llms.txt`. None of them needs a key.";

/// The version of the contract. The deployment has a version of its own.
const CONTRACT_VERSION: &str = "1.0.0";

/// Returns all tags with their operations, in the order of the document.
pub(crate) fn tags() -> Vec<Tag> {
    vec![
        entities::tag(),
        prompts::tag(),
        tags::tag(),
        domain_groups::tag(),
        actions::tag(),
        analytics::tag(),
        webhooks::tag(),
        Tag {
            name: messages::TAG,
            description: "What the service sends to webhooks. A client receives these requests and sends none of them.",
            operations: Vec::new(),
        },
        workspace::tag(),
    ]
}

/// Returns the OpenAPI document. It has every route that is served and described.
pub fn document() -> Value {
    let tags = tags();
    let mut schemas = ResponseSchemas::new();
    let mut paths: Map<String, Value> = Map::new();
    for endpoint in crate::endpoints::all() {
        let described = |operation: &&Operation| operation.id == endpoint.id;
        let mut of_tags = tags.iter();
        let found = of_tags.find_map(|tag| Some((tag, tag.operations.iter().find(described)?)));
        if let Some((tag, operation)) = found {
            let item = paths.entry(endpoint.path).or_insert_with(|| json!({}));
            item[endpoint.method.name().to_lowercase()] = operation.entry(tag.name, &endpoint, &mut schemas);
        }
    }
    let webhooks = messages::webhooks(&mut schemas);
    let tag = |tag: &Tag| json!({"name": tag.name, "description": tag.description});
    let mut document = json!({
        "openapi": "3.1.1",
        "info": {
            "title": "Visibility Tracking Service",
            "version": CONTRACT_VERSION,
            "summary": "How language models mention and cite a brand",
            "description": DESCRIPTION,
            "license": {"name": "MIT OR Apache-2.0", "identifier": env!("CARGO_PKG_LICENSE")},
        },
        "servers": [{"url": BASE_PATH, "description": "The service that serves this document"}],
        "security": [{"bearer": []}, {"apiKey": []}],
        "tags": tags.iter().map(tag).collect::<Vec<_>>(),
        "paths": paths,
        "webhooks": webhooks,
        "components": components(schemas),
    });
    move_titled_schemas(&mut document);
    document
}

fn components(schemas: ResponseSchemas) -> Value {
    let mut component_schemas = errors::components();
    component_schemas.extend(schemas.into_components());
    json!({
        "securitySchemes": {
            "bearer": {
                "type": "http", "scheme": "bearer", "bearerFormat": "wsk_…",
                "description": "`Authorization: Bearer wsk_…`: an API key. A key may be allowed to read only, and it may reach some entities only. Other \
                                entities do not exist for such a key: they are 404, and no list has them.",
            },
            "apiKey": {
                "type": "apiKey", "in": "header", "name": "X-API-Key", "x-extension": true,
                "description": "An API key. If both headers are sent, `Authorization` counts.",
            },
        },
        "parameters": parameters::components(),
        "headers": {
            "RequestId": {"description": "The id of the request in the log", "required": true,
            "schema": {"type": "string", "minLength": 1}},
            "RetryAfter": {
                "description": "The number of seconds, as in `retryAfter`", "required": true,
                "schema": {"type": "integer", "minimum": 1},
            },
            "RateLimit": {
                "description": "What is left of the key's rate: the requests (`r`), and the seconds until the next window (`t`)",
                "required": true,
                "schema": {"type": "string", "pattern": "^\"(read|write)\";r=[0-9]+;t=[0-9]+$"},
            },
            "RateLimitPolicy": {
                "description": "The key's rate: the requests (`q`) in each window of `w` seconds", "required": true,
                "schema": {"type": "string", "pattern": "^\"(read|write)\";q=[0-9]+;w=60$"},
            },
            "Challenge": {
                "description": "How to authenticate, and whether the key is invalid", "required": true,
                "schema": {"type": "string", "pattern": "^Bearer realm=\"visibility\"(, error=\"invalid_token\")?$"},
            },
            "Allow": {
                "description": "The methods of the path, separated by commas", "required": true,
                "schema": {"type": "string", "pattern": "^[A-Z]+(, [A-Z]+)*$"},
            },
        },
        "responses": {
            "Unauthorized": error_without_key(401, &["Missing API key", "Invalid API key", "API key is deactivated"]),
            "TooLarge": error(413, &[&format!("body must be at most {} bytes", domain::limits::MAX_BODY_BYTES)]),
            "TooMany": error(429, &["Rate limit exceeded"]),
            "Internal": error_without_key(500, &["Internal server error"]),
            "Unavailable": error_without_key(503, &["The service is temporarily unavailable"]),
            "UnknownPath": error_without_key(404, &["Path not found"]),
            "MethodNotAllowed": error_without_key(405, &["Method not allowed"]),
        },
        "schemas": component_schemas,
    })
}
