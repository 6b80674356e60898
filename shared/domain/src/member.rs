//! Members of a workspace.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};
use uuid::Uuid;

use crate::brand::fold_name;
use crate::error::InvalidField;
use crate::id::{MemberId, WorkspaceId};
use crate::text::validate_text;
use crate::time::Timestamp;

/// The UUIDv5 namespace of the ids of members and users.
const MEMBERS: Uuid = Uuid::from_u128(0x2f6b_83d1_9c1e_5a47_8d0c_6e5f_4b3a_2910);
const MAX_EMAIL_CHARS: usize = 254;

#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    EnumString,
    IntoStaticStr,
    VariantArray,
    schemars::JsonSchema,
)]
#[schemars(rename = "MemberRole")]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Role {
    Owner,
    Admin,
    Member,
    Viewer,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MemberStatus {
    Active,
    Invited,
    Removed,
}

/// A member of a workspace. Its id is computed from the workspace and the e-mail address, so that each
/// address is one member.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Member {
    pub id: MemberId,
    /// The id of the person, which does not depend on the workspace.
    pub user_id: Uuid,
    pub email: String,
    pub name: String,
    pub role: Role,
    pub status: MemberStatus,
    pub created_at: Timestamp,
}

impl Member {
    /// Creates an active member. Addresses that differ only in case give the same ids.
    pub fn new(
        workspace: &WorkspaceId,
        email: &str,
        name: &str,
        role: Role,
        now: Timestamp,
    ) -> Result<Self, InvalidField> {
        let email = validate_text("email", email, MAX_EMAIL_CHARS, false)?;
        let parts = email.rsplit_once('@').filter(|(local, domain)| {
            !local.is_empty() && domain.contains('.') && !domain.starts_with('.') && !domain.ends_with('.')
        });
        if parts.is_none() || email.contains(char::is_whitespace) {
            return Err(InvalidField::new("email", "must be an e-mail address"));
        }
        let folded = fold_name(&email);
        let member_uuid = Uuid::new_v5(&MEMBERS, format!("{workspace} {folded}").as_bytes());
        Ok(Self {
            id: MemberId::from_random(member_uuid),
            user_id: Uuid::new_v5(&MEMBERS, folded.as_bytes()),
            email,
            name: validate_text("name", name, crate::limits::MAX_NAME_CHARS, false)?,
            role,
            status: MemberStatus::Active,
            created_at: now,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(workspace: u128, email: &str) -> Result<Member, InvalidField> {
        let workspace = WorkspaceId::from_random(Uuid::from_u128(workspace));
        Member::new(&workspace, email, "Ann", Role::Owner, Timestamp::from_millis(1))
    }

    #[test]
    fn an_address_is_one_member_of_a_workspace_and_one_user_everywhere() {
        let (a, same, elsewhere) = (
            member(1, "Ann@x.example").unwrap(),
            member(1, "ann@X.example").unwrap(),
            member(2, "ann@x.example").unwrap(),
        );
        assert_eq!((&a.id, a.user_id), (&same.id, same.user_id));
        assert_ne!(a.id, elsewhere.id);
        assert_eq!(a.user_id, elsewhere.user_id);
    }

    #[test]
    fn an_invalid_address_is_an_error() {
        for email in [
            "",
            "ann",
            "@x.example",
            "ann@",
            "ann@x",
            "an n@x.example",
            "ann@.x",
            "ann@x.",
        ] {
            assert_eq!(member(1, email).unwrap_err().field, "email", "{email}");
        }
    }

    #[test]
    fn a_role_is_parsed_and_displayed_as_it_is_stored() {
        for role in Role::VARIANTS {
            assert_eq!(role.into_str().parse(), Ok(*role));
            assert_eq!(serde_json::to_value(role).unwrap(), role.into_str());
        }
    }
}
