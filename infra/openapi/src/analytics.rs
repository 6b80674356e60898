//! What the answers come to: `/trends`, `/entities/citations`, `/entities/competitors`, `/query-fanouts`, `/responses`.

use serde_json::{Value, json};

use crate::operation::Group;
use crate::parameters::{extra, shared};
use crate::schema::{count, field, object, one_of, whole};
use crate::{citations, fanouts, responses, trends};

pub(crate) fn group() -> Group {
    let operations = trends::operations().into_iter();
    Group {
        tag: "Analytics",
        description: "Figures of the answers. Every filter works on every endpoint; they combine with AND",
        operations: operations
            .chain(citations::operations())
            .chain([fanouts::operation()])
            .chain(responses::operations())
            .collect(),
    }
}

pub(crate) fn schemas() -> Vec<(&'static str, Value)> {
    let mut pagination = object([
        field("total", count("Rows of all pages")),
        field("limit", limit()),
        field("offset", count("Rows that were skipped")),
    ]);
    pagination["description"] = "Which rows these are".into();
    let mut schemas = vec![("Pagination", pagination)];
    schemas.extend(trends::schemas());
    schemas.extend(citations::schemas());
    schemas.extend(fanouts::schemas());
    schemas.extend(responses::schemas());
    schemas
}

/// `limit` of an answer.
pub(crate) fn limit() -> Value {
    whole(1, domain::limits::MAX_PAGE_LIMIT.into(), "Rows per page")
}

/// The period that an answer is about.
pub(crate) fn period() -> Value {
    let named = domain::period::PERIODS.map(|(name, _)| name);
    let labels: Vec<&str> = named.into_iter().chain([domain::period::CUSTOM]).collect();
    one_of(&labels, "`custom`: `startDate` or `endDate` was given")
}

/// What chooses the responses that a figure is about, by the names of the components.
pub(crate) const FILTERS: [&str; 8] = [
    "EntityId",
    "Period",
    "StartDate",
    "EndDate",
    "Models",
    "Tags",
    "PromptIds",
    "Union",
];

/// The filters of an endpoint of the contract, which knows no `union` and none of the `added` ones.
pub(crate) fn filters(added: &[&str]) -> [Value; 8] {
    FILTERS.map(|name| match name {
        "Union" => extra(name),
        name if added.contains(&name) => extra(name),
        name => shared(name),
    })
}

/// `limit` and `offset`.
pub(crate) fn page() -> [Value; 2] {
    ["Limit", "Offset"].map(shared)
}

/// An example of `pagination`.
pub(crate) fn pages() -> Value {
    json!({"total": 1, "limit": 20, "offset": 0})
}
