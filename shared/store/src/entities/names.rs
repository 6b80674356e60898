//! Changes of names. Each counts in WORKSPACE, so that of two concurrent ones the second sees the names of
//! the first.

use domain::entity::Entity;
use domain::workspace::Workspace;

use crate::expression::{number_value, string_value};
use crate::transaction::Transaction;
use crate::{Store, StoreError, Tenant, keys};

/// A name that another brand of the workspace has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TakenName(pub String);

impl Store {
    /// Adds a change of an entity's names to a transaction that does not write WORKSPACE otherwise.
    /// `workspace` is what the caller has read, strongly consistent. Returns the name that another brand has,
    /// if there is one; then nothing is added.
    pub(crate) async fn change_names(
        &self,
        transaction: &mut Transaction,
        tenant: &Tenant,
        workspace: &Workspace,
        before: &Entity,
        after: &Entity,
    ) -> Result<Option<TakenName>, StoreError> {
        let entities = self.entities(tenant).await?;
        if let Some(taken) = after.name_of_another_brand(Some(before), &entities) {
            return Ok(Some(TakenName(taken.to_owned())));
        }
        let bound = vec![
            (":seq", number_value(workspace.names_seq)),
            (":next", number_value(workspace.names_seq + 1)),
            (":status", string_value(workspace.status.into_str())),
        ];
        let condition = "#namesSeq = :seq AND #status = :status";
        transaction.update(
            &keys::workspace(tenant),
            "SET #namesSeq = :next",
            condition,
            bound,
        );
        Ok(None)
    }
}
