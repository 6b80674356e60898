//! Domains that were cited, but are neither tracked nor grouped. They are recorded so that their brands' UUIDs can be
//! resolved.

use std::collections::BTreeSet;

use domain::brand::{BrandUuid, uuid_of_domain};
use domain::limits::{FACT_RETENTION, MIN_SEEN_RETENTION};
use domain::time::{Day, Timestamp};
use futures::StreamExt;
use futures::stream;
use serde::{Deserialize, Serialize};

use crate::items::to_expiring_item;
use crate::table::TTL_ATTRIBUTE;
use crate::{Store, StoreError, Tenant, keys};

/// The maximum number of keys of one batch read.
const BATCH: usize = 100;
/// The number of items that are written concurrently.
const CONCURRENCY: usize = 16;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Seen {
    pub(crate) uuid: BrandUuid,
    pub(crate) domain: String,
    /// Unix seconds.
    #[serde(rename = "expiresAt", skip_serializing)]
    expires_at: i64,
}

impl Store {
    /// Returns those of the brands that are recorded as cited.
    pub(crate) async fn seen(
        &self,
        tenant: &Tenant,
        brands: BTreeSet<BrandUuid>,
    ) -> Result<Vec<Seen>, StoreError> {
        let brands: Vec<BrandUuid> = brands.into_iter().collect();
        let mut found = Vec::new();
        for some in brands.chunks(BATCH) {
            let keys = some.iter().map(|brand| keys::seen(tenant, *brand)).collect();
            found.extend(self.batch_get::<Seen>(keys).await?);
        }
        Ok(found)
    }

    /// Returns the domain of a brand that is recorded as cited.
    pub async fn seen_domain(&self, tenant: &Tenant, brand: BrandUuid) -> Result<Option<String>, StoreError> {
        let seen: Option<Seen> = self.get(&keys::seen(tenant, brand), false).await?;
        Ok(seen.map(|seen| seen.domain))
    }

    /// Records the domains that were cited on a day and are not brands of the workspace, for as long as the day's facts are
    /// kept. A domain whose record outlasts the longest date range from that day on is not written again.
    pub async fn record_cited_domains(
        &self,
        tenant: &Tenant,
        domains: BTreeSet<String>,
        day: Day,
    ) -> Result<(), StoreError> {
        let uuids = domains.iter().map(|domain| uuid_of_domain(domain)).collect();
        let (brands, seen) = tokio::try_join!(self.brands(tenant), self.seen(tenant, uuids))?;
        let least = (day.start() + MIN_SEEN_RETENTION).ttl_seconds();
        let lasting = seen.iter().filter(|seen| seen.expires_at >= least);
        let lasting: BTreeSet<BrandUuid> = lasting.map(|seen| seen.uuid).collect();
        let expires = day.start() + FACT_RETENTION;
        let writes = domains
            .into_iter()
            .map(|domain| (uuid_of_domain(&domain), domain))
            .filter(|(uuid, _)| !lasting.contains(uuid) && !brands.contains_key(uuid))
            .map(|(uuid, domain)| self.put_seen(tenant, uuid, domain, expires));
        let mut writes = stream::iter(writes).buffer_unordered(CONCURRENCY);
        while let Some(written) = writes.next().await {
            written?;
        }
        Ok(())
    }

    async fn put_seen(
        &self,
        tenant: &Tenant,
        uuid: BrandUuid,
        domain: String,
        expires: Timestamp,
    ) -> Result<(), StoreError> {
        let seen = Seen {
            uuid,
            domain,
            expires_at: 0,
        };
        let item = to_expiring_item(&keys::seen(tenant, uuid), &seen, expires)?;
        debug_assert!(item.contains_key(TTL_ATTRIBUTE));
        self.db
            .put_item()
            .table_name(&self.table)
            .set_item(Some(item))
            .send()
            .await?;
        Ok(())
    }
}
