//! Records a shard's responses. Each shard has one writer, which records up to 10 responses per transaction.

use domain::check::Response;
use domain::limits::MAX_ANSWERS_PER_WRITE;
use store::StoreError;
use tokio::sync::mpsc::Receiver;

use super::leased::LeasedShard;

impl LeasedShard<'_> {
    /// Records every response that arrives. Returns `false` if the shard was closed and accepts no more
    /// responses.
    pub(super) async fn record_all(&self, mut arriving: Receiver<Response>) -> Result<bool, StoreError> {
        let mut batch = Vec::with_capacity(MAX_ANSWERS_PER_WRITE);
        while arriving.recv_many(&mut batch, MAX_ANSWERS_PER_WRITE).await > 0 {
            if !self.record(std::mem::take(&mut batch)).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Records responses. Returns `false` if the shard was closed and accepts no more responses.
    pub(super) async fn record(&self, responses: Vec<Response>) -> Result<bool, StoreError> {
        let store = &self.checker.store;
        for batch in responses.chunks(MAX_ANSWERS_PER_WRITE) {
            if !store
                .record_responses(self.lease, self.day, batch.to_vec())
                .await?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
