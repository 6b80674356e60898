//! Requests that may be repeated: what the first one did is recorded with its answer, in the transaction of its
//! effect, and answered again for 24 hours.

use aws_sdk_dynamodb::types::AttributeValue;
use domain::limits::IDEMPOTENCY_WINDOW;
use domain::time::SECOND;
use sha2::{Digest, Sha256};

use crate::expression::n;
use crate::items::to_expiring_item;
use crate::table::TTL_ATTRIBUTE;
use crate::transaction::Transaction;
use crate::{Store, StoreError, Tenant, keys};

const LEVEL: i32 = 3;
/// The longest answer that is unpacked: longer than any reply to a POST.
const MAX_ANSWER_BYTES: usize = 4 * 1024 * 1024;
const BODY: &str = "body";
const ANSWER: &str = "answer";

/// What a request is recognised by: digests, because clients choose the key and the body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotentRequest {
    request: String,
    body: String,
}

impl IdempotentRequest {
    /// `key` is the client's `Idempotency-Key`, `body` the canonical text of what was sent.
    pub fn new(method: &str, path: &str, key: &[u8], body: &str) -> Self {
        let mut request = Sha256::new();
        for part in [method.as_bytes(), path.as_bytes(), key] {
            request.update(part);
            // Neither a method nor a path can hold it.
            request.update([0]);
        }
        Self {
            request: hex::encode(request.finalize()),
            body: hex::encode(Sha256::digest(body)),
        }
    }
}

type Answer<'a, T> = Box<dyn Fn(&T) -> Result<String, StoreError> + Send + Sync + 'a>;

/// How a write is answered, if its request carries a key. `T` is what the write gives on success.
pub struct Idempotent<'a, T>(Option<(&'a IdempotentRequest, Answer<'a, T>)>);

impl<'a, T> Idempotent<'a, T> {
    /// For a request without a key.
    pub fn none() -> Self {
        Self(None)
    }

    /// `answer` gives the reply's text.
    pub fn new(
        request: &'a IdempotentRequest,
        answer: impl Fn(&T) -> Result<String, StoreError> + Send + Sync + 'a,
    ) -> Self {
        Self(Some((request, Box::new(answer))))
    }

    /// Whether there is an answer to record, also where nothing else is to be written.
    pub fn has_key(&self) -> bool {
        self.0.is_some()
    }

    /// Adds the record of what was done. If another request recorded it first, the transaction ends as
    /// [`StoreError::Repeated`].
    pub(crate) fn record(
        &self,
        store: &Store,
        transaction: &mut Transaction,
        tenant: &Tenant,
        done: &T,
    ) -> Result<(), StoreError> {
        let Some((request, answer)) = &self.0 else {
            return Ok(());
        };
        let packed = zstd::bulk::compress(answer(done)?.as_bytes(), LEVEL)
            .map_err(|e| StoreError::unreadable("an answer to pack", e))?;
        let now = store.clock.now();
        let expires = now + store.clock.to_service_time(IDEMPOTENCY_WINDOW);
        let key = keys::answered_request(tenant, &request.request);
        let fields = [(BODY, &request.body)];
        let mut item = to_expiring_item(&key, &std::collections::BTreeMap::from(fields), expires)?;
        item.insert(ANSWER.to_owned(), AttributeValue::B(packed.into()));
        transaction.record(
            item,
            &format!("attribute_not_exists(PK) OR #{TTL_ATTRIBUTE} <= :now"),
            vec![(":now", n(now.window(SECOND)))],
        );
        Ok(())
    }
}

/// What is known of a request's key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordedReply {
    /// The request was answered so.
    Answer(String),
    /// The key was used with another body.
    OtherBody,
}

impl Store {
    /// The answer that the request got before, strongly consistent.
    pub async fn recorded_answer(
        &self,
        tenant: &Tenant,
        request: &IdempotentRequest,
    ) -> Result<Option<RecordedReply>, StoreError> {
        let key = keys::answered_request(tenant, &request.request);
        let Some(item) = self.get_item(&key, true).await? else {
            return Ok(None);
        };
        if item.get(BODY).and_then(|v| v.as_s().ok()) != Some(&request.body) {
            return Ok(Some(RecordedReply::OtherBody));
        }
        let unreadable = |why: &dyn std::fmt::Display| StoreError::unreadable("a recorded answer", why);
        let Some(AttributeValue::B(packed)) = item.get(ANSWER) else {
            return Err(unreadable(&"it is missing"));
        };
        let text = zstd::bulk::decompress(packed.as_ref(), MAX_ANSWER_BYTES).map_err(|e| unreadable(&e))?;
        let text = String::from_utf8(text).map_err(|e| unreadable(&e))?;
        Ok(Some(RecordedReply::Answer(text)))
    }
}
