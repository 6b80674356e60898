//! Stores the plan of a check in one item. A plan that would be too long is compressed.

use aws_sdk_dynamodb::types::AttributeValue;
use domain::check::Plan;
use domain::id::EntityId;
use domain::limits::{MAX_PLAIN_PLAN_BYTES, MAX_PLAN_BYTES, MAX_STORED_PLAN_BYTES};
use domain::ordinal::CheckNumber;
use domain::time::Timestamp;

use crate::items::{Consistency, Item, from_item, to_expiring_item};
use crate::keys::Key;
use crate::table::TTL_ATTRIBUTE;
use crate::{Store, StoreError, Tenant, keys};

/// The compression level of zstd.
const COMPRESSION_LEVEL: i32 = 9;
/// The attribute with the compressed JSON of a plan. An item that has it has no other fields of the plan.
const PACKED: &str = "packed";

/// A plan in the form in which it is stored.
#[derive(Debug)]
pub(super) enum StoredPlan {
    /// The fields of the plan are attributes.
    Plain(Plan),
    /// The JSON of the plan, compressed.
    Packed(Vec<u8>),
}

impl StoredPlan {
    /// Returns the form in which a plan is stored, or `None` if it does not fit into an item.
    pub(super) fn of(plan: &Plan) -> Option<Self> {
        // The attributes of an item take about as much space as the JSON. An item has room for several times
        // the limit.
        let json = serde_json::to_vec(plan).ok()?;
        if json.len() <= MAX_PLAIN_PLAN_BYTES {
            return Some(Self::Plain(plan.clone()));
        }
        if json.len() > MAX_PLAN_BYTES {
            return None;
        }
        let packed = zstd::bulk::compress(&json, COMPRESSION_LEVEL).ok()?;
        (packed.len() <= MAX_STORED_PLAN_BYTES).then_some(Self::Packed(packed))
    }

    /// Returns the item of the plan.
    pub(super) fn to_item(&self, key: &Key, expires: Timestamp) -> Result<Item, StoreError> {
        match self {
            Self::Plain(plan) => to_expiring_item(key, plan, expires),
            Self::Packed(packed) => {
                let mut item = key.attributes();
                item.insert(PACKED.to_owned(), AttributeValue::B(packed.clone().into()));
                let expires = expires.ttl_seconds().to_string();
                item.insert(TTL_ATTRIBUTE.to_owned(), AttributeValue::N(expires));
                Ok(item)
            }
        }
    }

    /// Decodes the item of a plan.
    fn decode(item: Item) -> Result<Plan, StoreError> {
        let Some(AttributeValue::B(packed)) = item.get(PACKED) else {
            return from_item(item);
        };
        let json = zstd::bulk::decompress(packed.as_ref(), MAX_PLAN_BYTES)
            .map_err(|error| StoreError::internal("decompressing a plan", error))?;
        // The decoder's own error can quote the plan.
        serde_json::from_slice(&json).map_err(|_| StoreError::Internal("a plan cannot be decoded".to_owned()))
    }
}

impl Store {
    /// Reads a check's plan, which never changes.
    pub async fn plan(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: CheckNumber,
    ) -> Result<Option<Plan>, StoreError> {
        let item = self
            .get_item(&keys::plan(tenant, entity, check), Consistency::Strong)
            .await?;
        item.map(StoredPlan::decode).transpose()
    }
}
