//! Replies to requests with an `Idempotency-Key`. A reply is recorded in the transaction of the request's
//! effect and returned to repetitions for 24 hours.

use aws_sdk_dynamodb::types::AttributeValue;
use domain::key_scope::KeyScope;
use domain::limits::IDEMPOTENCY_WINDOW;
use domain::time::SECOND;
use sha2::{Digest, Sha256};

use crate::expression::number_value;
use crate::items::{Consistency, to_expiring_item};
use crate::retry::Attempt;
use crate::table::TTL_ATTRIBUTE;
use crate::transaction::Transaction;
use crate::{Store, StoreError, Tenant, WriteError, keys};

const COMPRESSION_LEVEL: i32 = 3;
/// The maximum length of a decompressed reply. Every reply to a POST is shorter.
const MAX_REPLY_BYTES: usize = 4 * 1024 * 1024;
const BODY: &str = "body";
const REPLY: &str = "reply";

/// What two requests have in common if one repeats the other. It consists of digests, because clients choose
/// the key and the body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestIdentity {
    /// The digest of the method, the path and the idempotency key.
    request_digest: String,
    body_digest: String,
}

impl RequestIdentity {
    /// Creates the identity of a request. `key` is the client's `Idempotency-Key`, and `body` is the
    /// canonical text of the request's body.
    pub fn new(method: &str, path: &str, key: &[u8], body: &str) -> Self {
        let mut request = Sha256::new();
        for part in [method.as_bytes(), path.as_bytes(), key] {
            request.update(part);
            // Neither a method nor a path can contain a zero byte.
            request.update([0]);
        }
        Self {
            request_digest: hex::encode(request.finalize()),
            body_digest: hex::encode(Sha256::digest(body)),
        }
    }

    /// Returns the identity of the request with a key of this scope. Clients whose API keys are bound to
    /// different entities never repeat each other's requests, so that none gets the reply to another one's.
    #[must_use]
    pub fn with_scope(self, scope: &KeyScope) -> Self {
        let Some(entities) = &scope.entities else {
            return self;
        };
        let mut request = Sha256::new_with_prefix(&self.request_digest);
        entities.iter().for_each(|entity| request.update(entity.as_str()));
        Self {
            request_digest: hex::encode(request.finalize()),
            ..self
        }
    }
}

type ToReply<'a, T> = Box<dyn Fn(&T) -> Result<String, StoreError> + Send + Sync + 'a>;

/// Adds the reply to the transaction of a write, if the request has an `Idempotency-Key`. `T` is what the
/// write returns.
pub struct ReplyRecorder<'a, T>(Option<(&'a RequestIdentity, ToReply<'a, T>)>);

impl<'a, T> ReplyRecorder<'a, T> {
    /// Creates a recorder for a request without a key, which records nothing.
    pub fn disabled() -> Self {
        Self(None)
    }

    /// Creates a recorder for a request with a key. `to_reply` returns the text of the reply.
    pub fn new(
        identity: &'a RequestIdentity,
        to_reply: impl Fn(&T) -> Result<String, StoreError> + Send + Sync + 'a,
    ) -> Self {
        Self(Some((identity, Box::new(to_reply))))
    }

    /// Returns whether the request has a key. Its reply is then recorded even if the write changes nothing
    /// else.
    pub fn has_key(&self) -> bool {
        self.0.is_some()
    }

    /// Adds the reply to a transaction. If another reply was recorded first, `Store::transact_with_reply`
    /// returns [`crate::WriteError::AlreadyRecorded`].
    pub(crate) fn add_to(
        &self,
        store: &Store,
        transaction: &mut Transaction,
        tenant: &Tenant,
        done: &T,
    ) -> Result<(), StoreError> {
        let Some((identity, to_reply)) = &self.0 else {
            return Ok(());
        };
        let packed = zstd::bulk::compress(to_reply(done)?.as_bytes(), COMPRESSION_LEVEL)
            .map_err(|e| StoreError::internal("compressing a reply", e))?;
        let now = store.clock.now();
        let expires = now + IDEMPOTENCY_WINDOW;
        let key = keys::recorded_reply(tenant, &identity.request_digest);
        let fields = [(BODY, &identity.body_digest)];
        let mut item = to_expiring_item(&key, &std::collections::BTreeMap::from(fields), expires)?;
        item.insert(REPLY.to_owned(), AttributeValue::B(packed.into()));
        transaction.put_reply(
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
    /// Runs the transaction of a client's request, which returns `done`, and records the reply. The attempt
    /// is to be repeated if a condition failed.
    ///
    /// # Errors
    ///
    /// Returns [`WriteError::AlreadyRecorded`] if another request with the same key was recorded first.
    pub(crate) async fn commit<T, R>(
        &self,
        mut transaction: Transaction,
        tenant: &Tenant,
        recorder: &ReplyRecorder<'_, T>,
        done: T,
    ) -> Result<Attempt<T>, WriteError<R>> {
        recorder.add_to(self, &mut transaction, tenant, &done)?;
        Ok(self.transact_with_reply(transaction).await?.done_or_retry(done))
    }

    /// Reads the recorded reply to a request, strongly consistent.
    pub async fn recorded_reply(
        &self,
        tenant: &Tenant,
        identity: &RequestIdentity,
    ) -> Result<Option<RecordedReply>, StoreError> {
        let key = keys::recorded_reply(tenant, &identity.request_digest);
        let Some(item) = self.get_item(&key, Consistency::Strong).await? else {
            return Ok(None);
        };
        if item.get(BODY).and_then(|v| v.as_s().ok()) != Some(&identity.body_digest) {
            return Ok(Some(RecordedReply::OtherBody));
        }
        let undecodable =
            |why: &dyn std::fmt::Display| StoreError::internal("decoding a recorded reply", why);
        let Some(AttributeValue::B(packed)) = item.get(REPLY) else {
            return Err(undecodable(&"it is missing"));
        };
        let text = zstd::bulk::decompress(packed.as_ref(), MAX_REPLY_BYTES).map_err(|e| undecodable(&e))?;
        let text = String::from_utf8(text).map_err(|e| undecodable(&e))?;
        Ok(Some(RecordedReply::Reply(text)))
    }
}
