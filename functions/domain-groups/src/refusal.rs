//! Why a group is not written, as clients are told.

use api::ApiError;
use store::GroupError;

pub(crate) fn refusal(refused: GroupError) -> ApiError {
    match refused {
        GroupError::NoWorkspace => ApiError::internal("a key's workspace does not exist"),
        GroupError::UnknownGroup => ApiError::not_found("Domain group"),
        GroupError::UnknownEntity => ApiError::not_found("Entity"),
        GroupError::InvalidField(invalid) => invalid.into(),
        GroupError::Canceled => ApiError::canceled(),
        GroupError::InOtherGroup { place } => {
            ApiError::conflict(format!("entities[{place}] is a member of another domain group"))
        }
        GroupError::EntityLimit { limit } => ApiError::forbidden(format!(
            "The workspace's limit of {limit} entities would be exceeded"
        )),
        GroupError::ScopeLimit { limit } => ApiError::forbidden(format!(
            "The domain groups of one entity may be at most {limit} groups and members together"
        )),
    }
}
