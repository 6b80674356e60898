//! What the endpoints' bodies look like, field by field.

use acceptance::{Kind, Shape};

const SUCCESS: (&str, Kind) = ("success", Kind::Bool);
const PERIOD: (&str, Kind) = ("period", Kind::OneOf(&["7d", "14d", "30d", "custom"]));

const PAGE: Kind = Kind::Object(&Shape::of(&[
    ("total", Kind::Count),
    ("limit", Kind::Count),
    ("offset", Kind::Count),
]));

const FULL_PAGE: Kind = Kind::Object(&Shape::of(&[
    ("totalCount", Kind::Count),
    ("totalPages", Kind::Count),
    ("currentPage", Kind::Count),
    ("limit", Kind::Count),
    ("offset", Kind::Count),
    ("hasNextPage", Kind::Bool),
    ("hasPreviousPage", Kind::Bool),
]));

const CITED_DOMAIN: Shape = Shape::of(&[
    ("rank", Kind::Count),
    ("domain", Kind::Filled),
    ("name", Kind::Filled),
    ("totalCitations", Kind::Count),
    ("entityUuid", Kind::Uuid),
]);

pub(super) const CITED_DOMAINS: Shape = Shape::of(&[
    SUCCESS,
    ("data", Kind::List(&Kind::Object(&CITED_DOMAIN))),
    ("pagination", PAGE),
]);

const CITED_URL: Shape = Shape::of(&[("url", Kind::Filled), ("citationCount", Kind::Count)]);

pub(super) const CITED_URLS: Shape = Shape::of(&[
    SUCCESS,
    ("data", Kind::List(&Kind::Object(&CITED_URL))),
    ("pagination", PAGE),
    PERIOD,
]);

/// A point of a trend with no domain in it; each domain adds a key.
const DAY: Shape = Shape::of(&[("day", Kind::Day)]);

const DESCRIPTOR: Shape = Shape::of(&[
    ("entityId", Kind::Nullable(&Kind::Filled)),
    ("entityUuid", Kind::Uuid),
    ("name", Kind::Filled),
    ("domain", Kind::Filled),
    ("totalCitations", Kind::Count),
]);

pub(super) const CITATION_TREND: Shape = Shape::of(&[
    SUCCESS,
    ("data", Kind::List(&Kind::Object(&DAY))),
    ("entities", Kind::List(&Kind::Object(&DESCRIPTOR))),
    PERIOD,
]);

const FANOUT: Shape = Shape::of(&[
    ("query", Kind::Filled),
    ("frequency", Kind::Count),
    ("uniqueResponses", Kind::Count),
    ("latestDate", Kind::Iso),
    ("modelIds", Kind::List(&Kind::Uuid)),
]);

pub(super) const FANOUTS: Shape = Shape::of(&[
    SUCCESS,
    ("data", Kind::List(&Kind::Object(&FANOUT))),
    ("totalCount", Kind::Count),
    ("totalQueries", Kind::Count),
    ("pagination", FULL_PAGE),
    PERIOD,
]);

const COMPETITOR: Shape = Shape::of(&[
    ("rank", Kind::Count),
    ("entityUuid", Kind::Uuid),
    ("entityId", Kind::Nullable(&Kind::Filled)),
    ("name", Kind::Filled),
    ("domain", Kind::Nullable(&Kind::Filled)),
    ("mentions", Kind::Count),
    ("totalCitations", Kind::Count),
    ("shareOfVoice", Kind::Nullable(&Kind::Number)),
    ("isCurrentEntity", Kind::Bool),
]);

pub(super) const COMPETITORS: Shape = Shape::of(&[
    SUCCESS,
    ("data", Kind::List(&Kind::Object(&COMPETITOR))),
    ("pagination", PAGE),
]);

const STATE: Kind = Kind::OneOf(&["answered", "refused", "failed"]);

const LISTED_RESPONSE: Shape = Shape::of(&[
    ("responseId", Kind::Filled),
    ("promptId", Kind::Filled),
    ("prompt", Kind::Filled),
    ("modelId", Kind::Uuid),
    ("state", STATE),
    ("searched", Kind::Nullable(&Kind::Bool)),
    ("truncated", Kind::Bool),
    ("createdAt", Kind::Millis),
    ("isMentioned", Kind::Bool),
    ("mentionPosition", Kind::Nullable(&Kind::Count)),
    ("citationsCount", Kind::Count),
    ("queryFanoutsCount", Kind::Count),
]);

pub(super) const RESPONSES: Shape = Shape::of(&[
    SUCCESS,
    ("data", Kind::List(&Kind::Object(&LISTED_RESPONSE))),
    ("pagination", PAGE),
]);

const RESPONSE: Shape = Shape::of(&[
    ("responseId", Kind::Filled),
    ("responseText", Kind::Text),
    ("responseLength", Kind::Count),
    ("createdAt", Kind::Millis),
    ("modelId", Kind::Uuid),
    ("state", STATE),
    ("reason", Kind::Nullable(&Kind::Filled)),
    ("truncated", Kind::Bool),
    ("isMentioned", Kind::Bool),
    ("mentionPosition", Kind::Nullable(&Kind::Count)),
    ("totalOptionsInList", Kind::Count),
]);

const MENTION: Shape = Shape::of(&[
    ("entityUuid", Kind::Uuid),
    ("entityId", Kind::Nullable(&Kind::Filled)),
    ("entityName", Kind::Filled),
    ("entityDomain", Kind::Nullable(&Kind::Filled)),
    ("position", Kind::Count),
    ("isCurrentEntity", Kind::Bool),
]);

const NOT_MENTIONED: Shape = Shape::of(&[
    ("entityUuid", Kind::Uuid),
    ("entityId", Kind::Nullable(&Kind::Filled)),
    ("entityName", Kind::Filled),
    (
        "reason",
        Kind::OneOf(&["nothing_found", "common_word", "longer_name", "link_only"]),
    ),
]);

const CITATION: Shape = Shape::of(&[
    ("url", Kind::Filled),
    ("title", Kind::Nullable(&Kind::Filled)),
    ("entityUuid", Kind::Uuid),
]);

const SUMMARY: Shape = Shape::of(&[
    ("mentionsCount", Kind::Count),
    ("citationsCount", Kind::Count),
    ("queryFanoutsCount", Kind::Count),
]);

const FOUND: Shape = Shape::of(&[
    ("response", Kind::Object(&RESPONSE)),
    ("mentions", Kind::List(&Kind::Object(&MENTION))),
    ("notMentioned", Kind::List(&Kind::Object(&NOT_MENTIONED))),
    ("citations", Kind::List(&Kind::Object(&CITATION))),
    (
        "queryFanouts",
        Kind::List(&Kind::Object(&Shape::of(&[("query", Kind::Filled)]))),
    ),
    ("summary", Kind::Object(&SUMMARY)),
]);

pub(super) const DETAILS: Shape = Shape::of(&[SUCCESS, ("data", Kind::Object(&FOUND))]);
