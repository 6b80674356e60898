//! Why a group is not written, as clients are told.

use api::ApiError;
use store::GroupRefused;

pub(crate) fn refusal(refused: GroupRefused) -> ApiError {
    match refused {
        GroupRefused::NoWorkspace => ApiError::internal("a key's workspace does not exist"),
        GroupRefused::UnknownGroup => ApiError::not_found("Domain group"),
        GroupRefused::UnknownEntity => ApiError::not_found("Entity"),
        GroupRefused::Invalid(invalid) => invalid.into(),
        GroupRefused::Canceled => ApiError::canceled(),
        GroupRefused::InOtherGroup { place } => {
            ApiError::conflict(format!("entities[{place}] is a member of another domain group"))
        }
        GroupRefused::EntityLimit { limit } => ApiError::forbidden(format!(
            "The workspace's limit of {limit} entities would be exceeded"
        )),
        GroupRefused::ScopeLimit { limit } => ApiError::forbidden(format!(
            "The domain groups of one entity may be at most {limit} groups and members together"
        )),
    }
}
