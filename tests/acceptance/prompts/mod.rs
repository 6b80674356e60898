//! Prompts: adding, changing, deleting and listing them.

mod add;
mod batch;
mod delete;
mod pause;
mod stats;
mod tags;
mod update;

use acceptance::{Account, Answer, Kind, Shape, World};
use reqwest::Method;
use serde_json::{Value, json};

use crate::contract::{Bad, Endpoint, Sent};

/// A prompt as `POST /entities` shows it.
pub(crate) const PROMPT: Shape = Shape::of(&[
    ("id", Kind::Filled),
    ("prompt", Kind::Filled),
    ("language", Kind::Filled),
    ("geolocation", Kind::Filled),
]);

const STATS: Shape = Shape {
    required: &[
        ("responses", Kind::Count),
        ("mentions", Kind::Count),
        ("visibilityScore", Kind::Nullable(&Kind::Number)),
        ("averagePosition", Kind::Nullable(&Kind::Number)),
        ("citations", Kind::Count),
    ],
    extra: &[("interval", Kind::Nullable(&Kind::List(&Kind::Number)))],
};

const ROW: Shape = Shape {
    required: &[
        ("id", Kind::Filled),
        ("prompt", Kind::Filled),
        ("language", Kind::Filled),
        ("geolocation", Kind::Filled),
        ("createdAt", Kind::Millis),
        ("isActive", Kind::Bool),
        ("tags", Kind::List(&Kind::Filled)),
        ("stats", Kind::Object(&STATS)),
    ],
    extra: &[],
};

const LISTED: Shape = Shape::of(&[("success", Kind::Bool), ("data", Kind::List(&Kind::Object(&ROW)))]);
const ADDED: Shape = Shape::of(&[("success", Kind::Bool), ("promptId", Kind::Filled)]);
const ADDED_SOME: Shape = Shape::of(&[
    ("success", Kind::Bool),
    ("promptIds", Kind::List(&Kind::Filled)),
    ("count", Kind::Count),
]);

const UPDATED: Shape = Shape::of(&[
    ("success", Kind::Bool),
    (
        "prompt",
        Kind::Object(&Shape::of(&[
            ("id", Kind::Filled),
            ("prompt", Kind::Filled),
            ("language", Kind::Filled),
            ("geolocation", Kind::Filled),
            ("createdAt", Kind::Millis),
        ])),
    ),
]);
const UPDATED_SOME: Shape = Shape::of(&[
    ("success", Kind::Bool),
    (
        "prompts",
        Kind::List(&Kind::Object(&Shape::of(&[
            ("id", Kind::Filled),
            ("prompt", Kind::Filled),
            ("language", Kind::Filled),
            ("geolocation", Kind::Filled),
            ("createdAt", Kind::Millis),
            ("isActive", Kind::Bool),
            ("tags", Kind::List(&Kind::Filled)),
        ]))),
    ),
    ("count", Kind::Count),
]);
const DELETED: Shape = Shape::of(&[
    ("success", Kind::Bool),
    ("data", Kind::Object(&Shape::of(&[("promptId", Kind::Filled)]))),
]);

pub(crate) const CASES: &[Endpoint] = &[
    Endpoint {
        route: "POST /entities/addprompt",
        reply: &ADDED,
        request: |fixture| {
            Sent::body(json!({
                "entityId": fixture.entity, "prompt": "Which one?", "language": "de", "geolocation": "at",
                "tags": [fixture.tag],
            }))
        },
        subject: Some("entityId"),
        bad: &[
            Bad::Missing("entityId"),
            Bad::Field("entityId", "7"),
            Bad::Field("entityId", "[]"),
            Bad::Missing("prompt"),
            Bad::Field("prompt", "7"),
            Bad::Field("prompt", "{\"prompt\": \"Which?\"}"),
            Bad::Field("prompt", "\" \\n\""),
            Bad::Field("prompt", "\"a\\u0000b\""),
            Bad::Field("language", "7"),
            Bad::Field("language", "\"xx\""),
            Bad::Field("language", "\"\""),
            Bad::Field("geolocation", "false"),
            Bad::Field("geolocation", "\"xx\""),
            // Both ways of adding at once.
            Bad::Field("prompts", "[\"Which two?\"]"),
            Bad::Field("prompts", "[]"),
            Bad::Field("prompts", "7"),
            Bad::Field("tags", "7"),
            Bad::Field("tags", "\"0000000000000000\""),
            Bad::Field("tags", "[7]"),
            Bad::Field("tags", "[null]"),
            Bad::Field("tags", "[\"\"]"),
            Bad::Field("tags", "[\"0000000000000000\"]"),
        ],
    },
    Endpoint {
        route: "GET /entities/prompts",
        reply: &LISTED,
        request: |fixture| {
            Sent::query(&[
                ("entityId", &fixture.entity),
                ("period", "7d"),
                ("startDate", "2026-01-01"),
                ("endDate", "2026-01-31"),
                ("models", &fixture.model),
                ("promptIds", &fixture.prompt),
                ("tags", &fixture.tag),
                ("union", "false"),
            ])
        },
        subject: Some("entityId"),
        bad: crate::analytics::BAD_RANGES,
    },
    Endpoint {
        route: "PATCH /entities/updateprompt",
        reply: &UPDATED,
        request: |fixture| {
            Sent::body(json!({
                "promptId": fixture.prompt, "prompt": "Which then?", "language": "de", "geolocation": "at",
                "isActive": false, "tags": [fixture.tag],
            }))
        },
        subject: Some("promptId"),
        bad: &[
            Bad::Missing("promptId"),
            Bad::Field("promptId", "7"),
            Bad::Field("promptId", "[]"),
            Bad::Field("prompt", "7"),
            Bad::Field("prompt", "\"\""),
            Bad::Field("prompt", "\" \\n\""),
            Bad::Field("prompt", "\"a\\u0000b\""),
            Bad::Field("language", "7"),
            Bad::Field("language", "\"xx\""),
            Bad::Field("language", "\"\""),
            Bad::Field("geolocation", "false"),
            Bad::Field("geolocation", "\"xx\""),
            Bad::Field("isActive", "0"),
            Bad::Field("isActive", "\"true\""),
            Bad::Field("tags", "{}"),
            Bad::Field("tags", "[7]"),
            Bad::Field("tags", "[\"\"]"),
            Bad::Field("tags", "[\"0000000000000000\"]"),
            // Both modes at once.
            Bad::Field("updates", "[]"),
            Bad::Field("updates", "7"),
        ],
    },
    Endpoint {
        route: "DELETE /entities/prompts",
        reply: &DELETED,
        request: |fixture| Sent::query(&[("promptId", &fixture.prompt)]),
        subject: Some("promptId"),
        bad: &[Bad::Missing("promptId"), Bad::Twice("promptId")],
    },
];

async fn update(world: &World, account: &Account, body: Value) -> Answer {
    let path = "/entities/updateprompt";
    world.send(Some(account), Method::PATCH, path, Some(&body)).await
}

async fn delete(world: &World, account: &Account, prompt: &str) -> Answer {
    let path = format!("/entities/prompts?promptId={prompt}");
    world.send(Some(account), Method::DELETE, &path, None).await
}

/// Prompts that the workspace uses.
async fn used(world: &World, account: &Account) -> u64 {
    let workspace = world.get(account, "/workspace").await.ok();
    workspace["data"]["usage"]["prompts"]["used"].as_u64().unwrap()
}

/// The ids of an entity's prompts as they are listed, with these further parameters.
async fn ids(world: &World, account: &Account, entity: &str, more: &str) -> Vec<String> {
    let path = format!("/entities/prompts?entityId={entity}&{more}");
    let prompts = world.get(account, &path).await.ok();
    LISTED.assert(&prompts);
    let rows = prompts["data"].as_array().unwrap();
    rows.iter()
        .map(|row| row["id"].as_str().unwrap().to_owned())
        .collect()
}

async fn add(world: &World, account: &Account, body: Value) -> Answer {
    world.post(account, "/entities/addprompt", &body).await
}

async fn list(world: &World, account: &Account, entity: &str) -> Vec<Value> {
    let path = format!("/entities/prompts?entityId={entity}");
    let prompts = world.get(account, &path).await.ok();
    LISTED.assert(&prompts);
    prompts["data"].as_array().unwrap().clone()
}
