//! Members of a workspace, counted in the transaction that adds or removes one.

use domain::id::MemberId;
use domain::member::Member;

use crate::expression::n;
use crate::items::{STRONG, Sort, to_item};
use crate::transaction::{Outcome, Transaction};
use crate::{Store, StoreError, Tenant, keys};

/// Why a member is not added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemberError {
    NoWorkspace,
    AlreadyMember,
    MemberLimit { limit: u32 },
}

impl Store {
    /// Adds a member, if there is room.
    pub async fn add_member(
        &self,
        tenant: &Tenant,
        member: &Member,
    ) -> Result<Result<(), MemberError>, StoreError> {
        let mut transaction = Transaction::default();
        let member = transaction.create(to_item(&keys::member(tenant, &member.id), member)?);
        let workspace = transaction.update(
            keys::workspace(tenant),
            "SET #membersUsed = #membersUsed + :one",
            "#membersUsed < #membersLimit",
            vec![(":one", n(1))],
        );
        let refused = match self.transact(transaction).await? {
            Outcome::Done => return Ok(Ok(())),
            Outcome::Refused(refusals) if refusals.failed(member) => MemberError::AlreadyMember,
            Outcome::Refused(refusals) => {
                debug_assert!(refusals.failed(workspace));
                match self.workspace(tenant).await? {
                    Some(workspace) => MemberError::MemberLimit {
                        limit: workspace.members_limit,
                    },
                    None => MemberError::NoWorkspace,
                }
            }
        };
        Ok(Err(refused))
    }

    /// Removes a member. `false`: there is no such member.
    pub async fn remove_member(&self, tenant: &Tenant, member: &MemberId) -> Result<bool, StoreError> {
        let mut transaction = Transaction::default();
        transaction.delete(keys::member(tenant, member));
        transaction.update(
            keys::workspace(tenant),
            "SET #membersUsed = #membersUsed - :one",
            "#membersUsed > :zero",
            vec![(":one", n(1)), (":zero", n(0))],
        );
        Ok(matches!(self.transact(transaction).await?, Outcome::Done))
    }

    /// The workspace's members, in the order in which they came.
    pub async fn members(&self, tenant: &Tenant) -> Result<Vec<Member>, StoreError> {
        let partition = keys::workspace_partition(tenant);
        let mut found: Vec<Member> = self
            .query_as(&partition, Sort::Prefix(keys::MEMBER.to_owned()), STRONG)
            .await?;
        found.sort_by(|a, b| (a.created_at, &a.id).cmp(&(b.created_at, &b.id)));
        Ok(found)
    }
}
