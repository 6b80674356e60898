//! Domains that were cited, but are neither tracked nor grouped. They are recorded so that their brands'
//! UUIDs can be resolved.

use std::collections::BTreeSet;

use domain::brand::{BrandUuid, uuid_of_domain};
use domain::limits::{FACT_RETENTION, MIN_SEEN_RETENTION};
use domain::time::{Day, Timestamp};
use futures::StreamExt;
use futures::stream;
use serde::{Deserialize, Serialize};

use crate::items::{Consistency, MAX_BATCH_KEYS, to_expiring_item};
use crate::table::TTL_ATTRIBUTE;
use crate::{Store, StoreError, Tenant, keys};

const CONCURRENCY: usize = 16;

/// The record of a cited domain.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct CitedDomain {
    pub(crate) uuid: BrandUuid,
    pub(crate) domain: String,
    /// The expiry in Unix seconds.
    #[serde(rename = "expiresAt", skip_serializing)]
    expires_at: i64,
}

impl Store {
    /// Returns those of the brands that are recorded as cited.
    pub(crate) async fn cited_brands(
        &self,
        tenant: &Tenant,
        brands: BTreeSet<BrandUuid>,
    ) -> Result<Vec<CitedDomain>, StoreError> {
        let brands: Vec<BrandUuid> = brands.into_iter().collect();
        let mut found = Vec::new();
        for batch in brands.chunks(MAX_BATCH_KEYS) {
            let keys = batch
                .iter()
                .map(|brand| keys::cited_brand(tenant, *brand))
                .collect();
            found.extend(self.batch_get::<CitedDomain>(keys).await?);
        }
        Ok(found)
    }

    /// Returns the domain of a brand that is recorded as cited.
    pub async fn cited_domain(
        &self,
        tenant: &Tenant,
        brand: BrandUuid,
    ) -> Result<Option<String>, StoreError> {
        let record: Option<CitedDomain> = self
            .get(&keys::cited_brand(tenant, brand), Consistency::Eventual)
            .await?;
        Ok(record.map(|record| record.domain))
    }

    /// Records the domains that were cited on a day and are not brands of the workspace, for as long as the
    /// day's facts are kept. A domain whose record outlasts the longest date range from that day on is not
    /// written again.
    pub async fn record_cited_domains(
        &self,
        tenant: &Tenant,
        domains: BTreeSet<String>,
        day: Day,
    ) -> Result<(), StoreError> {
        let uuids = domains.iter().map(|domain| uuid_of_domain(domain)).collect();
        let (brands, recorded) = tokio::try_join!(self.brands(tenant), self.cited_brands(tenant, uuids))?;
        let min_expiry = (day.start() + MIN_SEEN_RETENTION).ttl_seconds();
        let lasting = recorded.iter().filter(|record| record.expires_at >= min_expiry);
        let lasting: BTreeSet<BrandUuid> = lasting.map(|record| record.uuid).collect();
        let expires = day.start() + FACT_RETENTION;
        let writes = domains
            .into_iter()
            .map(|domain| (uuid_of_domain(&domain), domain))
            .filter(|(uuid, _)| !lasting.contains(uuid) && !brands.contains_key(uuid))
            .map(|(uuid, domain)| self.put_cited_domain(tenant, uuid, domain, expires));
        let mut writes = stream::iter(writes).buffer_unordered(CONCURRENCY);
        while let Some(written) = writes.next().await {
            written?;
        }
        Ok(())
    }

    async fn put_cited_domain(
        &self,
        tenant: &Tenant,
        uuid: BrandUuid,
        domain: String,
        expires: Timestamp,
    ) -> Result<(), StoreError> {
        let record = CitedDomain {
            uuid,
            domain,
            expires_at: 0,
        };
        let item = to_expiring_item(&keys::cited_brand(tenant, uuid), &record, expires)?;
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
