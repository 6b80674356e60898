//! Records that the answers so far of a running check were folded into facts.

use domain::check::CheckState;
use domain::id::EntityId;
use domain::ordinal::CheckNumber;
use domain::time::Timestamp;

use crate::expression::{number_value, string_value};
use crate::{Store, StoreError, Tenant, keys};

impl Store {
    /// Records when the answers so far of a running check were folded. If the check has ended, nothing is
    /// written.
    pub async fn record_interim_fold(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: CheckNumber,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        self.update_one(
            &keys::check(tenant, entity, check),
            "SET #foldedAt = :at",
            "#state = :running",
            vec![
                (":at", number_value(at.as_millis())),
                (":running", string_value(CheckState::Running.into_str())),
            ],
        )
        .await?;
        Ok(())
    }
}
