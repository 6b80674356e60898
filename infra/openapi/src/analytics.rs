//! Describes the operations of `/trends`, `/entities/overview`, `/entities/citations`,
//! `/entities/competitors`, `/query-fanouts` and `/responses`.

mod citations;
mod comparison;
mod overview;
mod query_fanouts;
mod responses;
mod trends;

use crate::operation::Tag;

pub(crate) fn tag() -> Tag {
    let mut operations = Vec::from(trends::operations());
    operations.push(comparison::operation());
    operations.push(overview::operation());
    operations.extend(citations::operations());
    operations.push(query_fanouts::operation());
    operations.extend(responses::operations());
    Tag {
        name: "Analytics",
        description: "Figures about the answers. All filters can be combined, and a response must match each of them.",
        operations,
    }
}
