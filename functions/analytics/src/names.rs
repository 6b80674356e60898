//! The names of brands in a workspace.

use domain::group::TrackedBrands;
use domain::key_scope::KeyScope;
use store::{Store, StoreError, Tenant};

/// Reads the brands that the workspace tracks, as a client with this key sees them.
pub(crate) async fn tracked_brands(
    store: &Store,
    tenant: &Tenant,
    key_scope: &KeyScope,
) -> Result<TrackedBrands, StoreError> {
    Ok(TrackedBrands::new(store.entities(tenant).await?, key_scope))
}
