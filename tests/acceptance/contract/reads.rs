//! Every parameter and field of every endpoint.

use domain::limits::{
    MAX_ALIASES, MAX_DESCRIPTION_CHARS, MAX_FREQUENCY_HOURS, MAX_GROUP_MEMBERS, MAX_NAME_CHARS,
    MAX_PAGE_LIMIT, MAX_PROMPT_CHARS, MAX_PROMPT_UPDATES_PER_REQUEST, MAX_PROMPTS_PER_REQUEST,
    MAX_REASON_CHARS, MAX_TAG_CHARS, MAX_TAGS_PER_PROMPT, MAX_TOP_DOMAINS, MIN_GROUP_MEMBERS,
};
use serde_json::json;

use super::Sent;
use super::inputs::{Mode, Takes, Thing};
use Takes::{
    Choice, Cited, Day, Domain, Filter, Flag, Geolocation, Language, List, Name, Never, Note, Search,
    Subject, Text, Whole, Word,
};

const PERIOD: Takes = Word(&["7d", "14d", "30d"]);
const LIMIT: Takes = Whole(1, MAX_PAGE_LIMIT as u64);
const OFFSET: Takes = Whole(0, (1 << 53) - 1);
/// Items of a list that has no limit of its own.
const ANY: usize = usize::MAX;

macro_rules! filtered {
    ($route:literal $(, $more:expr)* $(,)?) => {
        Mode {
            route: $route,
            request: None,
            inputs: &[
                ("entityId", Subject(Thing::Entity)),
                ("period", PERIOD),
                ("startDate", Day),
                ("endDate", Day),
                ("models", Filter(Thing::Model)),
                ("promptIds", Filter(Thing::Prompt)),
                ("tags", Filter(Thing::Tag)),
                ("union", Word(&["true", "false"])),
                $($more,)*
            ],
        }
    };
}

macro_rules! of {
    ($route:literal $(, $input:expr)* $(,)?) => {
        Mode { route: $route, request: None, inputs: &[$($input,)*] }
    };
}

pub(crate) const MODES: &[Mode] = &[
    of!["GET /entities"],
    of!["GET /models"],
    of!["GET /tags"],
    of!["GET /workspace"],
    of!["GET /workspace/members"],
    filtered!["GET /trends/visibility"],
    filtered!["GET /trends/citations", ("topN", Whole(1, MAX_TOP_DOMAINS))],
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
    filtered!["GET /entities/prompts"],
    of!["GET /responses/details", ("responseId", Subject(Thing::Response))],
    of!["GET /entities/check-domain", ("domain", Domain)],
    of!["GET /entities/name-request", ("entityId", Subject(Thing::Entity))],
    of![
        "GET /entities/tracking-status",
        ("entityId", Subject(Thing::Entity))
    ],
    of![
        "GET /entities/actions",
        ("entityId", Subject(Thing::Entity)),
        ("status", Word(&["active", "dismissed", "in_task"])),
    ],
    of![
        "GET /domain-groups",
        ("groupId", Subject(Thing::Group)),
        ("entityId", Subject(Thing::Entity)),
    ],
    of!["DELETE /entities", ("entityId", Subject(Thing::Entity))],
    of!["DELETE /entities/prompts", ("promptId", Subject(Thing::Prompt))],
    of!["DELETE /domain-groups", ("groupId", Subject(Thing::Group))],
    of!["DELETE /tags", ("tagId", Subject(Thing::Tag))],
    of!["POST /tags", ("name", Name(MAX_TAG_CHARS))],
    of!["POST /entities/run-check", ("entityId", Subject(Thing::Entity))],
    of![
        "POST /entities/name-request",
        ("entityId", Subject(Thing::Entity)),
        ("suggestedName", Name(MAX_NAME_CHARS)),
        ("reason", Note(MAX_REASON_CHARS)),
    ],
    of![
        "POST /entities/actions/dismiss",
        ("actionableId", Subject(Thing::Actionable))
    ],
    of![
        "POST /entities/actions/update-status",
        ("taskId", Subject(Thing::Task)),
        (
            "status",
            Word(&["not_started", "in_progress", "in_review", "done"])
        ),
    ],
    Mode {
        route: "POST /entities/actions/create-task",
        request: Some(|fixture| {
            Sent::body(json!({"actionableId": fixture.actionable, "assignees": [fixture.member]}))
        }),
        inputs: &[
            ("actionableId", Subject(Thing::Actionable)),
            ("assignees", List(0, ANY)),
            ("assignees[]", Choice(Thing::Member)),
        ],
    },
    of![
        "POST /domain-groups",
        ("primaryEntity", Subject(Thing::Brand)),
        ("entities", List(MIN_GROUP_MEMBERS, MAX_GROUP_MEMBERS)),
        ("entities[]", Subject(Thing::Brand)),
        ("name", Name(MAX_NAME_CHARS)),
        ("entityId", Subject(Thing::Entity)),
    ],
    of![
        "PATCH /domain-groups",
        ("groupId", Subject(Thing::Group)),
        ("primaryEntity", Subject(Thing::Brand)),
        ("entities", List(MIN_GROUP_MEMBERS, MAX_GROUP_MEMBERS)),
        ("entities[]", Subject(Thing::Brand)),
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
        ("models[]", Choice(Thing::Model)),
        ("prompts", List(0, MAX_PROMPTS_PER_REQUEST)),
        ("prompts[]", Text(MAX_PROMPT_CHARS)),
        ("prompts[1].prompt", Text(MAX_PROMPT_CHARS)),
        ("prompts[1].language", Language),
        ("prompts[1].geolocation", Geolocation),
        ("generatePrompts", Flag),
        ("startTracking", Flag),
    ],
    of![
        "PATCH /entities",
        ("entityId", Subject(Thing::Entity)),
        ("target", Domain),
        ("description", Note(MAX_DESCRIPTION_CHARS)),
        ("language", Language),
        ("geolocation", Geolocation),
        ("models", List(1, ANY)),
        ("models[]", Choice(Thing::Model)),
        ("aliases", List(0, MAX_ALIASES)),
        ("aliases[]", Name(MAX_NAME_CHARS)),
        ("isActive", Flag),
        ("frequencyHours", Whole(1, MAX_FREQUENCY_HOURS as u64)),
        ("name", Never),
    ],
    of![
        "POST /entities/addprompt",
        ("entityId", Subject(Thing::Entity)),
        ("prompt", Text(MAX_PROMPT_CHARS)),
        ("language", Language),
        ("geolocation", Geolocation),
        ("tags", List(0, MAX_TAGS_PER_PROMPT)),
        ("tags[]", Choice(Thing::Tag)),
    ],
    Mode {
        route: "POST /entities/addprompt",
        request: Some(|fixture| {
            let own =
                json!({"prompt": "Which two?", "language": "fr", "geolocation": "fr", "tags": [fixture.tag]});
            Sent::body(json!({
                "entityId": fixture.entity, "prompts": ["Which one?", own], "language": "de",
                "geolocation": "at", "tags": [fixture.tag],
            }))
        }),
        inputs: &[
            ("entityId", Subject(Thing::Entity)),
            ("language", Language),
            ("geolocation", Geolocation),
            ("tags", List(0, MAX_TAGS_PER_PROMPT)),
            ("tags[]", Choice(Thing::Tag)),
            ("prompts", List(1, MAX_PROMPTS_PER_REQUEST)),
            ("prompts[]", Text(MAX_PROMPT_CHARS)),
            ("prompts[1].prompt", Text(MAX_PROMPT_CHARS)),
            ("prompts[1].language", Language),
            ("prompts[1].geolocation", Geolocation),
            ("prompts[1].tags", List(0, MAX_TAGS_PER_PROMPT)),
            ("prompts[1].tags[]", Choice(Thing::Tag)),
        ],
    },
    of![
        "PATCH /entities/updateprompt",
        ("promptId", Subject(Thing::Prompt)),
        ("prompt", Text(MAX_PROMPT_CHARS)),
        ("language", Language),
        ("geolocation", Geolocation),
        ("isActive", Flag),
        ("tags", List(0, MAX_TAGS_PER_PROMPT)),
        ("tags[]", Choice(Thing::Tag)),
    ],
    Mode {
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
            Sent::body(json!({"updates": [update(&fixture.prompt), update(&other)]}))
        }),
        inputs: &[
            ("updates", List(1, MAX_PROMPT_UPDATES_PER_REQUEST)),
            ("updates[].promptId", Subject(Thing::Prompt)),
            ("updates[1].promptId", Subject(Thing::Prompt)),
            ("updates[1].prompt", Text(MAX_PROMPT_CHARS)),
            ("updates[1].language", Language),
            ("updates[1].geolocation", Geolocation),
            ("updates[1].isActive", Flag),
            ("updates[1].tags", List(0, MAX_TAGS_PER_PROMPT)),
            ("updates[1].tags[]", Choice(Thing::Tag)),
        ],
    },
];
