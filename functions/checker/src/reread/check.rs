//! Reads the answers of one check again.

use domain::check::Response;
use domain::check_key::CheckKey;
use domain::facts::families::{Visibility, encode_visibility};
use domain::facts::{Family, Revision};
use domain::id::EntityId;
use domain::reading::Reading;
use domain::time::Timestamp;
use futures::{StreamExt, TryStreamExt};
use store::{IndexEntry, SegmentRef, Tenant};

use crate::reading::AnswerReader;
use crate::{Checker, CheckerError};

/// The number of responses that are written concurrently.
const CONCURRENCY: usize = 16;

/// How the rereading of a check ends.
pub(crate) enum CheckEnd {
    /// Its answers were read. The segment is written, but not indexed.
    Read { segment: SegmentRef, answers: usize },
    /// Not all of its responses are there.
    TextsGone,
    /// The worker's time is over, or another worker reads the answers as well.
    Interrupted,
}

/// The responses of a check, read again, without their texts.
#[derive(Default)]
struct Reread {
    all: Vec<Response>,
    /// Those with other mentions than before, each with its former reading.
    changed: Vec<(Response, Option<Reading>)>,
}

impl Checker {
    /// Reads the answers of a check again until `until`, rewrites the responses whose mentions changed and writes the new
    /// segment.
    pub(crate) async fn reread_check(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: CheckKey,
        entry: &IndexEntry,
        reader: &AnswerReader,
        until: Timestamp,
    ) -> Result<CheckEnd, CheckerError> {
        let Some(count) = self.response_count(tenant, entity, check, entry).await? else {
            return Ok(CheckEnd::TextsGone);
        };
        let Some(reread) = self
            .reread_responses(tenant, entity, check, reader, until)
            .await?
        else {
            return Ok(CheckEnd::Interrupted);
        };
        if reread.all.len() < count {
            return Ok(CheckEnd::TextsGone);
        }
        let rewrite = |(response, before): (Response, Option<Reading>)| async move {
            let in_time = self.clock.now() < until;
            let store = &self.store;
            let rewritten = store.rewrite_mentions(tenant, entity, check, &response, before);
            Ok::<_, CheckerError>(in_time && rewritten.await?)
        };
        let rewritten: Vec<bool> = futures::stream::iter(reread.changed)
            .map(rewrite)
            .buffer_unordered(CONCURRENCY)
            .try_collect()
            .await?;
        if rewritten.contains(&false) {
            return Ok(CheckEnd::Interrupted);
        }
        let encoded = encode_visibility(&reread.all);
        let before = entry.segments.get(&Family::Visibility);
        let segment = match before.filter(|before| before.rev == Revision::of(&encoded)) {
            Some(unchanged) => *unchanged,
            None => {
                self.store
                    .put_segment(tenant, entity, Family::Visibility, check, &encoded)
                    .await?
            }
        };
        Ok(CheckEnd::Read {
            segment,
            answers: reread.all.len(),
        })
    }

    /// Returns the number of responses that the facts of a check count, or `None` if the segment cannot be decoded.
    async fn response_count(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: CheckKey,
        entry: &IndexEntry,
    ) -> Result<Option<usize>, CheckerError> {
        let Some(segment) = entry.segments.get(&Family::Visibility) else {
            return Ok(Some(0));
        };
        let segments = self
            .store
            .segments(
                tenant,
                entity,
                Family::Visibility,
                &[(check, *segment)],
                |_| true,
                true,
            )
            .await?;
        let Some((_, encoded)) = segments.first() else {
            return Ok(None);
        };
        match Visibility::decode(encoded) {
            Ok(visibility) => Ok(Some(visibility.cells().count())),
            Err(error) => {
                tracing::error!(%error, check.number = check.check.get(), "a check's facts cannot be decoded");
                Ok(None)
            }
        }
    }

    /// Reads the responses of a check page by page. Returns `None` if that takes longer than `until`.
    async fn reread_responses(
        &self,
        tenant: &Tenant,
        entity: &EntityId,
        check: CheckKey,
        reader: &AnswerReader,
        until: Timestamp,
    ) -> Result<Option<Reread>, CheckerError> {
        let (mut reread, mut start) = (Reread::default(), None);
        loop {
            if self.clock.now() >= until {
                return Ok(None);
            }
            let page = self.store.response_page(tenant, entity, check, start).await?;
            for before in page.responses {
                let mut response = before.clone();
                reader.read(&mut response);
                response.text = String::new();
                if response.brands != before.brands || response.not_mentioned != before.not_mentioned {
                    reread.changed.push((response.clone(), before.reading));
                }
                reread.all.push(response);
            }
            start = page.next;
            if start.is_none() {
                return Ok(Some(reread));
            }
        }
    }
}
