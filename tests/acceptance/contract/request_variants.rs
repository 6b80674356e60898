//! Declares every parameter and field of every endpoint.

use domain::limits::{
    MAX_ALIASES, MAX_DESCRIPTION_CHARS, MAX_FREQUENCY_HOURS, MAX_GROUP_MEMBERS, MAX_NAME_CHARS,
    MAX_PAGE_LIMIT, MAX_PROMPT_CHARS, MAX_PROMPT_UPDATES_PER_REQUEST, MAX_PROMPTS_PER_REQUEST,
    MAX_REASON_CHARS, MAX_TAG_CHARS, MAX_TAGS_PER_PROMPT, MAX_TOP_DOMAINS, MAX_WEBHOOK_ENTITIES,
    MIN_GROUP_MEMBERS,
};
use serde_json::json;

use super::RequestInput;
use super::inputs::{InputKind, RequestVariant, ResourceKind};
use InputKind::{
    BaseDay, Choice, Cited, Day, Domain, Filter, Flag, Geolocation, Language, List, Models, Name, Never,
    Note, Search, Subject, Text, Whole, Word,
};

const PERIOD: InputKind = Word(&["7d", "14d", "30d"]);
const FORMAT: (&str, InputKind) = ("format", Word(&["json"]));
const LIMIT: InputKind = Whole(1, MAX_PAGE_LIMIT as u64);
const OFFSET: InputKind = Whole(0, (1 << 53) - 1);
/// The maximum of a list without a limit of its own.
const ANY: usize = usize::MAX;

macro_rules! filtered {
    ($route:literal $(, $more:expr)* $(,)?) => {
        RequestVariant {
            route: $route,
            request: None,
            inputs: &[
                ("entityId", Subject(ResourceKind::Entity)),
                ("period", PERIOD),
                ("startDate", Day),
                ("endDate", Day),
                ("models", Models),
                ("promptIds", Filter(ResourceKind::Prompt)),
                ("tags", Filter(ResourceKind::Tag)),
                ("union", Word(&["true", "false"])),
                FORMAT,
                $($more,)*
            ],
        }
    };
}

macro_rules! of {
    ($route:literal $(, $input:expr)* $(,)?) => {
        RequestVariant { route: $route, request: None, inputs: &[$($input,)*] }
    };
}

pub(crate) const REQUEST_VARIANTS: &[RequestVariant] = &[
    of!["GET /entities", FORMAT],
    of!["GET /keys/self"],
    of!["GET /models", FORMAT],
    of!["GET /tags", FORMAT],
    of!["GET /workspace"],
    of!["GET /workspace/members", FORMAT],
    filtered!["GET /trends/visibility"],
    filtered!["GET /trends/citations", ("topN", Whole(1, MAX_TOP_DOMAINS))],
    filtered![
        "GET /trends/compare",
        ("baseStartDate", BaseDay),
        ("baseEndDate", BaseDay),
        ("metrics", Word(&["visibility", "shareOfVoice", "citations"])),
    ],
    of![
        "GET /entities/overview",
        ("period", PERIOD),
        ("startDate", Day),
        ("endDate", Day),
        FORMAT,
        ("limit", LIMIT),
        ("offset", OFFSET),
    ],
    filtered!["GET /entities/citations", ("limit", LIMIT), ("offset", OFFSET)],
    filtered![
        "GET /entities/citations/details",
        ("citedEntityUuid", Cited),
        ("limit", LIMIT),
        ("offset", OFFSET),
    ],
    filtered![
        "GET /query-fanouts",
        ("search", Search),
        ("limit", LIMIT),
        ("offset", OFFSET)
    ],
    filtered!["GET /entities/competitors", ("limit", LIMIT), ("offset", OFFSET)],
    filtered!["GET /responses", ("limit", LIMIT), ("offset", OFFSET)],
    filtered!["GET /entities/prompts", ("limit", LIMIT), ("offset", OFFSET)],
    of![
        "GET /responses/details",
        ("responseId", Subject(ResourceKind::Response))
    ],
    of!["GET /entities/check-domain", ("domain", Domain)],
    of![
        "GET /entities/name-request",
        ("entityId", Subject(ResourceKind::Entity))
    ],
    of![
        "GET /entities/tracking-status",
        ("entityId", Subject(ResourceKind::Entity))
    ],
    of![
        "GET /entities/actions",
        ("entityId", Subject(ResourceKind::Entity)),
        ("status", Word(&["active", "dismissed", "in_task"])),
        FORMAT,
        ("limit", LIMIT),
        ("offset", OFFSET),
    ],
    of![
        "GET /domain-groups",
        ("groupId", Subject(ResourceKind::Group)),
        ("entityId", Subject(ResourceKind::Entity)),
        FORMAT,
    ],
    of!["DELETE /entities", ("entityId", Subject(ResourceKind::Entity))],
    of![
        "DELETE /entities/prompts",
        ("promptId", Subject(ResourceKind::Prompt))
    ],
    of!["DELETE /domain-groups", ("groupId", Subject(ResourceKind::Group))],
    of!["DELETE /tags", ("tagId", Subject(ResourceKind::Tag))],
    of!["POST /tags", ("name", Name(MAX_TAG_CHARS))],
    of!["GET /webhooks", FORMAT],
    of![
        "POST /webhooks",
        ("url", Domain),
        ("events", List(1, ANY)),
        ("events[]", Word(&["check.completed", "visibility.changed"])),
        ("entityIds", List(0, MAX_WEBHOOK_ENTITIES)),
        ("entityIds[]", Subject(ResourceKind::Entity)),
        ("format", Word(&["json", "slack", "teams"])),
    ],
    of![
        "PATCH /webhooks",
        ("webhookId", Subject(ResourceKind::Webhook)),
        ("url", Domain),
        ("events", List(1, ANY)),
        ("events[]", Word(&["check.completed", "visibility.changed"])),
        ("entityIds", List(0, MAX_WEBHOOK_ENTITIES)),
        ("entityIds[]", Subject(ResourceKind::Entity)),
        ("format", Word(&["json", "slack", "teams"])),
        ("enabled", Flag),
    ],
    of!["DELETE /webhooks", ("webhookId", Subject(ResourceKind::Webhook))],
    of![
        "POST /webhooks/rotate-secret",
        ("webhookId", Subject(ResourceKind::Webhook))
    ],
    of![
        "POST /webhooks/test",
        ("webhookId", Subject(ResourceKind::Webhook))
    ],
    of![
        "GET /webhooks/deliveries",
        ("webhookId", Subject(ResourceKind::Webhook)),
        FORMAT,
        ("limit", LIMIT),
        ("offset", OFFSET),
    ],
    of![
        "POST /webhooks/deliveries/redeliver",
        ("webhookId", Subject(ResourceKind::Webhook)),
        ("deliveryId", Subject(ResourceKind::Delivery)),
    ],
    of![
        "POST /entities/run-check",
        ("entityId", Subject(ResourceKind::Entity))
    ],
    of![
        "POST /entities/name-request",
        ("entityId", Subject(ResourceKind::Entity)),
        ("suggestedName", Name(MAX_NAME_CHARS)),
        ("aliases", List(0, MAX_ALIASES)),
        ("reason", Note(MAX_REASON_CHARS)),
    ],
    of![
        "POST /entities/actions/dismiss",
        ("actionableId", Subject(ResourceKind::Actionable))
    ],
    of![
        "POST /entities/actions/update-status",
        ("taskId", Subject(ResourceKind::Task)),
        (
            "status",
            Word(&["not_started", "in_progress", "in_review", "done"])
        ),
    ],
    RequestVariant {
        route: "POST /entities/actions/create-task",
        request: Some(|fixture| {
            RequestInput::body(json!({"actionableId": fixture.actionable, "assignees": [fixture.member]}))
        }),
        inputs: &[
            ("actionableId", Subject(ResourceKind::Actionable)),
            ("assignees", List(0, ANY)),
            ("assignees[]", Choice(ResourceKind::Member)),
        ],
    },
    of![
        "POST /domain-groups",
        ("primaryEntity", Subject(ResourceKind::Brand)),
        ("entities", List(MIN_GROUP_MEMBERS, MAX_GROUP_MEMBERS)),
        ("entities[]", Subject(ResourceKind::Brand)),
        ("name", Name(MAX_NAME_CHARS)),
        ("entityId", Subject(ResourceKind::Entity)),
    ],
    of![
        "PATCH /domain-groups",
        ("groupId", Subject(ResourceKind::Group)),
        ("primaryEntity", Subject(ResourceKind::Brand)),
        ("entities", List(MIN_GROUP_MEMBERS, MAX_GROUP_MEMBERS)),
        ("entities[]", Subject(ResourceKind::Brand)),
        ("name", Name(MAX_NAME_CHARS)),
    ],
    of![
        "POST /entities",
        ("name", Name(MAX_NAME_CHARS)),
        ("domain", Domain),
        ("description", Note(MAX_DESCRIPTION_CHARS)),
        ("language", Language),
        ("geolocation", Geolocation),
        ("trackingType", Word(&["website", "individual"])),
        ("models", List(1, ANY)),
        ("models[]", Choice(ResourceKind::Model)),
        ("prompts", List(0, MAX_PROMPTS_PER_REQUEST)),
        ("prompts[]", Text(MAX_PROMPT_CHARS)),
        ("prompts[1].prompt", Text(MAX_PROMPT_CHARS)),
        ("prompts[1].language", Language),
        ("prompts[1].geolocation", Geolocation),
        ("prompts[1].tags", List(0, MAX_TAGS_PER_PROMPT)),
        ("prompts[1].tags[]", Choice(ResourceKind::Tag)),
        ("generatePrompts", Flag),
        ("startTracking", Flag),
    ],
    of![
        "PATCH /entities",
        ("entityId", Subject(ResourceKind::Entity)),
        ("target", Domain),
        ("description", Note(MAX_DESCRIPTION_CHARS)),
        ("language", Language),
        ("geolocation", Geolocation),
        ("models", List(1, ANY)),
        ("models[]", Choice(ResourceKind::Model)),
        ("aliases", List(0, MAX_ALIASES)),
        ("aliases[]", Name(MAX_NAME_CHARS)),
        ("isActive", Flag),
        ("frequencyHours", Whole(1, MAX_FREQUENCY_HOURS as u64)),
        ("name", Never),
    ],
    of![
        "POST /entities/addprompt",
        ("entityId", Subject(ResourceKind::Entity)),
        ("prompt", Text(MAX_PROMPT_CHARS)),
        ("language", Language),
        ("geolocation", Geolocation),
        ("tags", List(0, MAX_TAGS_PER_PROMPT)),
        ("tags[]", Choice(ResourceKind::Tag)),
    ],
    RequestVariant {
        route: "POST /entities/addprompt",
        request: Some(|fixture| {
            let own =
                json!({"prompt": "Which two?", "language": "fr", "geolocation": "fr", "tags": [fixture.tag]});
            RequestInput::body(json!({
                "entityId": fixture.entity, "prompts": ["Which one?", own], "language": "de",
                "geolocation": "at", "tags": [fixture.tag],
            }))
        }),
        inputs: &[
            ("entityId", Subject(ResourceKind::Entity)),
            ("language", Language),
            ("geolocation", Geolocation),
            ("tags", List(0, MAX_TAGS_PER_PROMPT)),
            ("tags[]", Choice(ResourceKind::Tag)),
            ("prompts", List(1, MAX_PROMPTS_PER_REQUEST)),
            ("prompts[]", Text(MAX_PROMPT_CHARS)),
            ("prompts[1].prompt", Text(MAX_PROMPT_CHARS)),
            ("prompts[1].language", Language),
            ("prompts[1].geolocation", Geolocation),
            ("prompts[1].tags", List(0, MAX_TAGS_PER_PROMPT)),
            ("prompts[1].tags[]", Choice(ResourceKind::Tag)),
        ],
    },
    of![
        "PATCH /entities/updateprompt",
        ("promptId", Subject(ResourceKind::Prompt)),
        ("prompt", Text(MAX_PROMPT_CHARS)),
        ("language", Language),
        ("geolocation", Geolocation),
        ("isActive", Flag),
        ("tags", List(0, MAX_TAGS_PER_PROMPT)),
        ("tags[]", Choice(ResourceKind::Tag)),
    ],
    RequestVariant {
        route: "PATCH /entities/updateprompt",
        request: Some(|fixture| {
            let update = |prompt: &str| {
                json!({
                    "promptId": prompt, "prompt": "Which then?", "language": "de", "geolocation": "at",
                    "isActive": false, "tags": [fixture.tag],
                })
            };
            // The other entity's first prompt.
            let other = format!("{}-p1", fixture.other);
            RequestInput::body(json!({"updates": [update(&fixture.prompt), update(&other)]}))
        }),
        inputs: &[
            ("updates", List(1, MAX_PROMPT_UPDATES_PER_REQUEST)),
            ("updates[].promptId", Subject(ResourceKind::Prompt)),
            ("updates[1].promptId", Subject(ResourceKind::Prompt)),
            ("updates[1].prompt", Text(MAX_PROMPT_CHARS)),
            ("updates[1].language", Language),
            ("updates[1].geolocation", Geolocation),
            ("updates[1].isActive", Flag),
            ("updates[1].tags", List(0, MAX_TAGS_PER_PROMPT)),
            ("updates[1].tags[]", Choice(ResourceKind::Tag)),
        ],
    },
];
