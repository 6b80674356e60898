//! The name requests in responses.

use domain::id::NameRequestId;
use domain::name_request::{NameRequest, ReviewStatus};
use domain::time::Timestamp;
use serde::Serialize;

#[derive(Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NameRequestResponse<'a> {
    /// The most recent name request. Null if there is none.
    pub(crate) data: Option<NameRequestView<'a>>,
    /// The state of the name request.
    pub(crate) message: &'static str,
    /// Aliases that people probably write instead of the entity's present name, the most useful one first.
    /// They do not count as mentions until a client adds them to the entity's aliases.
    #[schemars(extend("x-extension" = true))]
    pub(crate) suggested_aliases: Vec<String>,
}

#[derive(Serialize, schemars::JsonSchema)]
pub struct CreateNameRequestResponse<'a> {
    /// The name request.
    pub(crate) data: NameRequestView<'a>,
    /// The state of the name request.
    pub(crate) message: &'static str,
}

/// A request for another name as clients see it.
#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "NameRequest")]
#[serde(rename_all = "camelCase")]
pub(crate) struct NameRequestView<'a> {
    /// The request's id.
    id: &'a NameRequestId,
    /// The entity's name when the request was made.
    current_name: &'a str,
    /// The name that the entity is to get.
    suggested_name: &'a str,
    /// The aliases that the entity is to get in place of its own. Null if it is to keep them.
    #[schemars(extend("x-extension" = true))]
    aliases: Option<&'a [String]>,
    /// Why the name is to change. Empty if no reason was given.
    #[schemars(length(min = 0))]
    reason: &'a str,
    /// The operator's decision.
    status: ReviewStatus,
    /// When the request was made, in Unix milliseconds.
    created_at: Timestamp,
    /// When the request was reviewed, in Unix milliseconds. Null before the review.
    reviewed_at: Option<Timestamp>,
    /// What the operator noted. Null before the review.
    #[schemars(length(min = 0))]
    review_note: Option<&'a str>,
}

impl<'a> From<&'a NameRequest> for NameRequestView<'a> {
    fn from(request: &'a NameRequest) -> Self {
        Self {
            id: &request.id,
            current_name: &request.current_name,
            suggested_name: &request.suggested_name,
            aliases: request.suggested_aliases.as_deref(),
            reason: &request.reason,
            status: request.status,
            created_at: request.created_at,
            reviewed_at: request.reviewed_at,
            review_note: request.review_note.as_deref(),
        }
    }
}
