//! One writer per shard: answers are recorded as they come, up to 10 at a time.

use domain::check::Response;
use domain::limits::MAX_ANSWERS_PER_WRITE;
use tokio::sync::mpsc::Receiver;

use super::work::Work;
use crate::CheckerError;

impl Work<'_> {
    /// Records every answer that comes. `false`: the shard was closed, and nothing more is taken.
    pub(super) async fn write(&self, mut answers: Receiver<Response>) -> Result<bool, CheckerError> {
        let mut batch = Vec::with_capacity(MAX_ANSWERS_PER_WRITE);
        while answers.recv_many(&mut batch, MAX_ANSWERS_PER_WRITE).await > 0 {
            if !self.record(std::mem::take(&mut batch)).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub(super) async fn record(&self, responses: Vec<Response>) -> Result<bool, CheckerError> {
        for batch in responses.chunks(MAX_ANSWERS_PER_WRITE) {
            if !self
                .checker
                .store
                .record_answers(self.lease, self.day, batch.to_vec())
                .await?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
