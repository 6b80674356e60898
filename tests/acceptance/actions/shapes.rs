//! What actionables and tasks look like.

use acceptance::{Kind, Shape};

const COUNTS: Shape = Shape {
    required: &[],
    extra: &[
        ("mentions", Kind::Count),
        ("responses", Kind::Count),
        ("ownCitations", Kind::Count),
        ("citations", Kind::Count),
    ],
};

const WINDOW: Shape = Shape::of(&[
    ("startDate", Kind::Day),
    ("endDate", Kind::Day),
    ("days", Kind::Count),
]);

const QUERY: Shape = Shape::of(&[
    (
        "path",
        Kind::OneOf(&[
            "/trends/visibility",
            "/entities/citations",
            "/entities/citations/details",
            "/entities/competitors",
            "/entities/prompts",
            "/query-fanouts",
        ]),
    ),
    ("parameters", Kind::Object(&PARAMETERS)),
]);

const PARAMETERS: Shape = Shape {
    required: &[
        ("entityId", Kind::Filled),
        ("startDate", Kind::Day),
        ("endDate", Kind::Day),
        ("union", Kind::OneOf(&["false"])),
    ],
    extra: &[
        ("promptIds", Kind::Filled),
        ("models", Kind::Filled),
        ("citedEntityUuid", Kind::Uuid),
        ("search", Kind::Filled),
    ],
};

const MEASURE: Shape = Shape::of(&[
    ("startDate", Kind::Day),
    ("endDate", Kind::Day),
    ("counts", Kind::Object(&COUNTS)),
    ("score", Kind::Nullable(&Kind::Number)),
    ("interval", Kind::Nullable(&Kind::List(&Kind::Number))),
    ("query", Kind::Object(&QUERY)),
]);

const VOICE: Shape = Shape::of(&[
    ("entityUuid", Kind::Uuid),
    ("name", Kind::Filled),
    ("domain", Kind::Nullable(&Kind::Filled)),
    ("mentions", Kind::Count),
    ("shareOfVoice", Kind::Nullable(&Kind::Number)),
]);

const CITED_URL: Shape = Shape::of(&[("url", Kind::Filled), ("citationCount", Kind::Count)]);

const OUTCOME: Shape = Shape::of(&[
    ("result", Kind::OneOf(&["improved", "no_change", "worse"])),
    ("before", Kind::Object(&MEASURE)),
    ("after", Kind::Object(&MEASURE)),
]);

const RULE: Kind = Kind::OneOf(&[
    "low_visibility",
    "persistent_absence",
    "model_gap",
    "citation_gap",
    "competitor_lead",
    "uncited_mention",
    "fanout_gap",
    "lost_visibility",
]);

const EVIDENCE: Shape = Shape {
    required: &[
        ("rule", RULE),
        ("window", Kind::Object(&WINDOW)),
        ("promptIds", Kind::List(&Kind::Filled)),
        ("modelIds", Kind::List(&Kind::Uuid)),
        ("query", Kind::Object(&QUERY)),
    ],
    extra: &[
        ("counts", Kind::Object(&COUNTS)),
        ("score", Kind::Number),
        ("interval", Kind::List(&Kind::Number)),
        ("checks", Kind::Count),
        ("since", Kind::Day),
        ("model", Kind::Filled),
        ("others", Kind::Object(&MEASURE)),
        ("domain", Kind::Filled),
        ("citedEntityUuid", Kind::Uuid),
        ("citations", Kind::Count),
        ("urls", Kind::List(&Kind::Object(&CITED_URL))),
        ("rival", Kind::Object(&VOICE)),
        ("own", Kind::Object(&VOICE)),
        ("visibility", Kind::Object(&MEASURE)),
        ("searchQuery", Kind::Filled),
        ("frequency", Kind::Count),
        ("uniqueResponses", Kind::Count),
        (
            "ownCitations",
            Kind::Object(&Shape::of(&[
                ("citations", Kind::Count),
                ("query", Kind::Object(&QUERY)),
            ])),
        ),
        ("before", Kind::Object(&MEASURE)),
        ("after", Kind::Object(&MEASURE)),
        (
            "retired",
            Kind::Object(&Shape::of(&[("reason", Kind::Filled), ("at", Kind::Millis)])),
        ),
        ("outcome", Kind::Object(&OUTCOME)),
    ],
};

const PRIORITY: Kind = Kind::OneOf(&["high", "medium", "low"]);

const ACTIONABLE: Shape = Shape::of(&[
    ("id", Kind::Filled),
    ("title", Kind::Filled),
    ("description", Kind::Filled),
    ("category", Kind::OneOf(&["visibility", "citation", "content"])),
    ("priority", PRIORITY),
    ("sourceType", RULE),
    ("status", Kind::OneOf(&["active", "dismissed", "in_task"])),
    ("metadata", Kind::Object(&EVIDENCE)),
    ("createdAt", Kind::Millis),
    ("updatedAt", Kind::Millis),
]);

const TASK: Shape = Shape::of(&[
    ("id", Kind::Filled),
    ("title", Kind::Filled),
    ("description", Kind::Filled),
    ("type", Kind::OneOf(&["off-page", "on-page", "technical"])),
    ("priority", PRIORITY),
    (
        "status",
        Kind::OneOf(&["not_started", "in_progress", "in_review", "done"]),
    ),
    ("assignees", Kind::List(&Kind::Uuid)),
    ("sortOrder", Kind::Count),
    ("actionableId", Kind::Filled),
    ("createdAt", Kind::Millis),
    ("updatedAt", Kind::Millis),
]);

pub(super) const LISTED: Shape = Shape::of(&[
    ("success", Kind::Bool),
    (
        "data",
        Kind::Object(&Shape::of(&[
            ("actionables", Kind::List(&Kind::Object(&ACTIONABLE))),
            ("tasks", Kind::List(&Kind::Object(&TASK))),
        ])),
    ),
    (
        "counts",
        Kind::Object(&Shape::of(&[
            ("actionables", Kind::Count),
            ("tasks", Kind::Count),
        ])),
    ),
]);

pub(super) const SUCCESS: Shape = Shape::of(&[("success", Kind::Bool)]);
pub(super) const CREATED: Shape = Shape::of(&[("success", Kind::Bool), ("data", Kind::Object(&TASK))]);
