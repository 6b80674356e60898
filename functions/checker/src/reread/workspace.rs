//! Requests the rereading of each entity of a workspace whose names have changed.

use domain::id::EntityId;
use domain::limits::REREADING_REPUBLICATION;
use futures::{StreamExt, TryStreamExt};
use store::Tenant;

use crate::{Checker, CheckerError};

/// The number of entities whose requests are written concurrently.
const CONCURRENCY: usize = 8;

impl Checker {
    /// Passes the request of a workspace on to its entities, and ends it. An entity without answers needs
    /// none: a check that ends later compares the names itself.
    pub(crate) async fn reread_workspace(&self, tenant: &Tenant) -> Result<(), CheckerError> {
        let Some(requested) = self.store.workspace_rereading(tenant).await? else {
            return Ok(());
        };
        let entities = self.store.entities(tenant).await?;
        let may_have_answers = entities
            .into_iter()
            .filter(|entity| entity.last_check.is_some() || entity.running.is_some());
        let ids: Vec<_> = may_have_answers.map(|entity| entity.id).collect();
        let (since, due) = (requested.since, self.clock.now() + REREADING_REPUBLICATION);
        let request = |id: EntityId| async move {
            let store = &self.store;
            store.request_rereading(tenant, Some(&id), since, due).await
        };
        futures::stream::iter(ids.clone())
            .map(request)
            .buffer_unordered(CONCURRENCY)
            .try_collect::<()>()
            .await?;
        self.store
            .end_workspace_rereading(tenant, requested.request)
            .await?;
        tracing::info!(
            entity.count = ids.len(),
            "the answers of a workspace are read again"
        );
        self.publish_rereadings(tenant, &ids).await;
        Ok(())
    }
}
