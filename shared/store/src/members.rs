//! Members of a workspace. The transaction that adds or removes one also counts it.

use domain::id::MemberId;
use domain::member::Member;
use thiserror::Error;

use crate::expression::number_value;
use crate::items::to_item;
use crate::transaction::{Outcome, Transaction};
use crate::{Refusal, Resource, Store, StoreError, Tenant, WriteError, keys};

/// Why a member is not added.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MemberError {
    #[error(transparent)]
    Common(#[from] Refusal),
    #[error("this address is a member already")]
    AlreadyMember,
    #[error("the limit of {limit} members is reached")]
    MemberLimit { limit: u32 },
}

impl Store {
    /// Adds a member unless the limit of members is reached.
    pub async fn add_member(&self, tenant: &Tenant, member: &Member) -> Result<(), WriteError<MemberError>> {
        let mut transaction = Transaction::default();
        let member = transaction.create(to_item(&keys::member(tenant, &member.id), member)?);
        let workspace = transaction.update(
            &keys::workspace(tenant),
            "SET #membersUsed = #membersUsed + :one",
            "#membersUsed < #membersLimit",
            vec![(":one", number_value(1))],
        );
        match self.transact(transaction).await? {
            Outcome::Committed => Ok(()),
            Outcome::Rejected(failed) if failed.contains(member) => {
                Err(WriteError::Refused(MemberError::AlreadyMember))
            }
            Outcome::Rejected(failed) => {
                debug_assert!(failed.contains(workspace));
                let workspace = self.workspace(tenant).await?;
                let workspace = workspace.ok_or(Refusal::NotFound(Resource::Workspace))?;
                let limit = workspace.members_limit;
                Err(WriteError::Refused(MemberError::MemberLimit { limit }))
            }
        }
    }

    /// Removes a member. Returns `false` if there is no such member.
    pub async fn remove_member(&self, tenant: &Tenant, member: &MemberId) -> Result<bool, StoreError> {
        let mut transaction = Transaction::default();
        transaction.delete(&keys::member(tenant, member));
        transaction.update(
            &keys::workspace(tenant),
            "SET #membersUsed = #membersUsed - :one",
            "#membersUsed > :zero",
            vec![(":one", number_value(1)), (":zero", number_value(0))],
        );
        Ok(self.transact(transaction).await?.is_committed())
    }

    /// Lists the workspace's members, oldest first.
    pub async fn members(&self, tenant: &Tenant) -> Result<Vec<Member>, StoreError> {
        let partition = keys::workspace_partition(tenant);
        let mut found: Vec<Member> = self.list(&partition, keys::MEMBER).await?;
        found.sort_by(|a, b| (a.created_at, &a.id).cmp(&(b.created_at, &b.id)));
        Ok(found)
    }
}
