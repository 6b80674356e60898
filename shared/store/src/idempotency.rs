//! Idempotent requests. The reply to a request is recorded in the transaction of its effect and returned to retries for 24
//! hours.

use aws_sdk_dynamodb::types::AttributeValue;
use domain::limits::IDEMPOTENCY_WINDOW;
use domain::time::SECOND;
use sha2::{Digest, Sha256};

use crate::expression::number_value;
use crate::items::to_expiring_item;
use crate::table::TTL_ATTRIBUTE;
use crate::transaction::Transaction;
use crate::{Store, StoreError, Tenant, keys};

/// The compression level of zstd.
const COMPRESSION_LEVEL: i32 = 3;
/// The maximum length of a decompressed reply. Every reply to a POST is shorter.
const MAX_REPLY_BYTES: usize = 4 * 1024 * 1024;
const BODY: &str = "body";
const REPLY: &str = "answer";

/// The identity of a request. It consists of digests, because clients choose the key and the body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotentRequest {
    request: String,
    body: String,
}

impl IdempotentRequest {
    /// Creates the identity of a request. `key` is the client's `Idempotency-Key`, and `body` is the canonical text of the
    /// request's body.
    pub fn new(method: &str, path: &str, key: &[u8], body: &str) -> Self {
        let mut request = Sha256::new();
        for part in [method.as_bytes(), path.as_bytes(), key] {
            request.update(part);
            // Neither a method nor a path can contain a zero byte.
            request.update([0]);
        }
        Self {
            request: hex::encode(request.finalize()),
            body: hex::encode(Sha256::digest(body)),
        }
    }
}

type ToReply<'a, T> = Box<dyn Fn(&T) -> Result<String, StoreError> + Send + Sync + 'a>;

/// How to record the reply to a write whose request has an `Idempotency-Key`. `T` is what the write returns.
pub struct Idempotent<'a, T>(Option<(&'a IdempotentRequest, ToReply<'a, T>)>);

impl<'a, T> Idempotent<'a, T> {
    /// Creates the value for a request without a key.
    pub fn none() -> Self {
        Self(None)
    }

    /// Creates the value for a request with a key. `to_reply` returns the text of the reply.
    pub fn new(
        request: &'a IdempotentRequest,
        to_reply: impl Fn(&T) -> Result<String, StoreError> + Send + Sync + 'a,
    ) -> Self {
        Self(Some((request, Box::new(to_reply))))
    }

    /// Returns whether the request has a key. Its reply is then recorded even if the write changes nothing else.
    pub fn has_key(&self) -> bool {
        self.0.is_some()
    }

    /// Adds the recorded reply to a transaction. If another request was recorded first, `Store::transact_idempotent` returns
    /// [`crate::WriteError::Conflict`].
    pub(crate) fn record(
        &self,
        store: &Store,
        transaction: &mut Transaction,
        tenant: &Tenant,
        done: &T,
    ) -> Result<(), StoreError> {
        let Some((request, to_reply)) = &self.0 else {
            return Ok(());
        };
        let packed = zstd::bulk::compress(to_reply(done)?.as_bytes(), COMPRESSION_LEVEL)
            .map_err(|e| StoreError::unreadable("a reply to compress", e))?;
        let now = store.clock.now();
        let expires = now + store.clock.to_service_time(IDEMPOTENCY_WINDOW);
        let key = keys::recorded_reply(tenant, &request.request);
        let fields = [(BODY, &request.body)];
        let mut item = to_expiring_item(&key, &std::collections::BTreeMap::from(fields), expires)?;
        item.insert(REPLY.to_owned(), AttributeValue::B(packed.into()));
        transaction.record(
            item,
            &format!("attribute_not_exists(PK) OR #{TTL_ATTRIBUTE} <= :now"),
            vec![(":now", number_value(now.window(SECOND)))],
        );
        Ok(())
    }
}

/// What is recorded for a request's key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordedReply {
    /// The reply to the request.
    Reply(String),
    /// The key was used with another body.
    OtherBody,
}

impl Store {
    /// Reads the recorded reply to a request, strongly consistent.
    pub async fn recorded_reply(
        &self,
        tenant: &Tenant,
        request: &IdempotentRequest,
    ) -> Result<Option<RecordedReply>, StoreError> {
        let key = keys::recorded_reply(tenant, &request.request);
        let Some(item) = self.get_item(&key, true).await? else {
            return Ok(None);
        };
        if item.get(BODY).and_then(|v| v.as_s().ok()) != Some(&request.body) {
            return Ok(Some(RecordedReply::OtherBody));
        }
        let unreadable = |why: &dyn std::fmt::Display| StoreError::unreadable("a recorded reply", why);
        let Some(AttributeValue::B(packed)) = item.get(REPLY) else {
            return Err(unreadable(&"it is missing"));
        };
        let text = zstd::bulk::decompress(packed.as_ref(), MAX_REPLY_BYTES).map_err(|e| unreadable(&e))?;
        let text = String::from_utf8(text).map_err(|e| unreadable(&e))?;
        Ok(Some(RecordedReply::Reply(text)))
    }
}
