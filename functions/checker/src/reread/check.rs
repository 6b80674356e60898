//! Reads the answers of one check again.

use std::collections::{BTreeMap, BTreeSet};

use domain::cell::Cell;
use domain::check::Response;
use domain::check_key::CheckKey;
use domain::family::Family;
use domain::id::EntityId;
use domain::reading::Reading;
use domain::revision::Revision;
use domain::time::Timestamp;
use facts::families::{Visibility, VisibilityCellRef, encode_visibility};
use futures::{StreamExt, TryStreamExt};
use store::{IndexEntry, PreparedSegment, RereadingLease, Tenant};

use crate::reading::AnswerReader;
use crate::{Checker, CheckerError};

/// The number of responses that are written concurrently.
const CONCURRENCY: usize = 16;
/// The attempts to mark an index entry. Each failed one means that another write changed the month's index.
const MAX_CONFLICTS: u32 = 20;

/// How the rereading of a check ends.
pub(crate) enum CheckEnd {
    /// Its answers were read. The segment is written, but not indexed.
    Read {
        prepared: PreparedSegment,
        answers: usize,
    },
    /// Not all of its responses are there, or they cannot be read.
    NotReadable,
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

/// How the checks of an entity are read again.
pub(crate) struct Rereader<'a> {
    pub(crate) tenant: &'a Tenant,
    pub(crate) entity: &'a EntityId,
    pub(crate) reader: AnswerReader,
    /// The instant from which on nothing is written any more.
    pub(crate) until: Timestamp,
    /// The lease on the entity's rereading. The finish of a check has none.
    pub(crate) lease: Option<&'a RereadingLease>,
}

impl Checker {
    /// Reads the answers of a check again. A check that can never be read again must stop neither the other
    /// days nor a finish.
    pub(crate) async fn reread_check(
        &self,
        rereader: &Rereader<'_>,
        check: CheckKey,
        entry: &IndexEntry,
    ) -> Result<CheckEnd, CheckerError> {
        match self.try_reread_check(rereader, check, entry).await {
            Err(error) if !error.is_transient() => {
                tracing::error!(%error, check.number = check.check.get(), "a check cannot be read again");
                Ok(CheckEnd::NotReadable)
            }
            end => end,
        }
    }

    /// Reads the answers of a check again, rewrites the responses whose mentions changed and writes the new
    /// segment.
    ///
    /// Before the first response is rewritten, the index entry is marked. A check whose responses were read
    /// in two ways is therefore never taken for one that needs no rereading, even if the names change back.
    ///
    /// Of a check that still runs, only the responses are counted that its facts count already, because all
    /// families of facts have to agree. The end of the check counts the others.
    async fn try_reread_check(
        &self,
        rereader: &Rereader<'_>,
        check: CheckKey,
        entry: &IndexEntry,
    ) -> Result<CheckEnd, CheckerError> {
        let Some(counted) = self.counted_cells(rereader, check, entry).await? else {
            return Ok(CheckEnd::NotReadable);
        };
        let Some(mut reread) = self.reread_responses(rereader, check).await? else {
            return Ok(CheckEnd::Interrupted);
        };
        if entry.is_interim {
            reread.all.retain(|response| counted.contains(&response.cell()));
        }
        if reread.all.len() < counted.len() {
            return Ok(CheckEnd::NotReadable);
        }
        let is_marked = !reread.changed.is_empty();
        if is_marked && !self.mark_as_rewritten(rereader, check).await? {
            return Ok(CheckEnd::Interrupted);
        }
        if !self.rewrite_responses(rereader, check, reread.changed).await? {
            return Ok(CheckEnd::Interrupted);
        }
        let encoded = encode_visibility(&reread.all);
        let before = entry.segments.get(&Family::Visibility);
        let segment = match before.filter(|before| before.rev == Revision::of(&encoded)) {
            Some(unchanged) => *unchanged,
            None => {
                let (tenant, entity) = (rereader.tenant, rereader.entity);
                self.store
                    .put_segment(
                        tenant,
                        entity,
                        Family::Visibility,
                        check,
                        &[encoded],
                        entry.kind(),
                    )
                    .await?
            }
        };
        Ok(CheckEnd::Read {
            prepared: PreparedSegment {
                segment,
                before: entry.reading,
                is_marked,
            },
            answers: reread.all.len(),
        })
    }

    /// Marks the index entry of a check, if there is one. Returns `false` if the lease is lost.
    async fn mark_as_rewritten(
        &self,
        rereader: &Rereader<'_>,
        check: CheckKey,
    ) -> Result<bool, CheckerError> {
        let (store, tenant, entity) = (&self.store, rereader.tenant, rereader.entity);
        for _ in 0..MAX_CONFLICTS {
            let mut month = store.month_index(tenant, entity, check.day.month()).await?;
            let Some(mut entry) = month.entries.remove(&check).filter(|e| !e.is_being_rewritten) else {
                return Ok(true);
            };
            entry.is_being_rewritten = true;
            let entries = BTreeMap::from([(check, entry)]);
            let marked = store
                .index_segments(tenant, entity, check.day, &month, &entries, rereader.lease)
                .await?;
            if marked {
                return Ok(true);
            }
            if self.clock.now() >= rereader.until {
                return Ok(false);
            }
        }
        Err(CheckerError::Busy)
    }

    /// Rewrites responses, each on the condition of its former reading. Returns `false` if the worker's time
    /// is over, or a response was read otherwise meanwhile.
    async fn rewrite_responses(
        &self,
        rereader: &Rereader<'_>,
        check: CheckKey,
        changed: Vec<(Response, Option<Reading>)>,
    ) -> Result<bool, CheckerError> {
        let (tenant, entity, until) = (rereader.tenant, rereader.entity, rereader.until);
        let rewrite = |(response, before): (Response, Option<Reading>)| async move {
            let in_time = self.clock.now() < until;
            let store = &self.store;
            let rewritten = store.rewrite_mentions(tenant, entity, check, &response, before);
            Ok::<_, CheckerError>(in_time && rewritten.await?)
        };
        let rewritten: Vec<bool> = futures::stream::iter(changed)
            .map(rewrite)
            .buffer_unordered(CONCURRENCY)
            .try_collect()
            .await?;
        Ok(!rewritten.contains(&false))
    }

    /// Returns the cells of the responses that the facts of a check count, or `None` if the segment cannot be
    /// decoded.
    async fn counted_cells(
        &self,
        rereader: &Rereader<'_>,
        check: CheckKey,
        entry: &IndexEntry,
    ) -> Result<Option<BTreeSet<Cell>>, CheckerError> {
        let Some(segment) = entry.segments.get(&Family::Visibility) else {
            return Ok(Some(BTreeSet::new()));
        };
        let segments = self
            .store
            .segments(
                rereader.tenant,
                rereader.entity,
                Family::Visibility,
                &[(check, *segment)],
            )
            .await?;
        let Some((_, encoded)) = segments.first() else {
            return Ok(None);
        };
        match Visibility::decode(encoded) {
            Ok(visibility) => {
                let cells = visibility
                    .cells()
                    .map(|VisibilityCellRef { prompt, model, .. }| Cell { prompt, model });
                Ok(Some(cells.collect()))
            }
            Err(error) => {
                tracing::error!(%error, check.number = check.check.get(), "a check's facts cannot be decoded");
                Ok(None)
            }
        }
    }

    /// Reads the responses of a check page by page. Returns `None` if the worker's time is over.
    async fn reread_responses(
        &self,
        rereader: &Rereader<'_>,
        check: CheckKey,
    ) -> Result<Option<Reread>, CheckerError> {
        let (mut reread, mut start) = (Reread::default(), None);
        loop {
            if self.clock.now() >= rereader.until {
                return Ok(None);
            }
            let page = self
                .store
                .response_page(rereader.tenant, rereader.entity, check, start)
                .await?;
            for before in page.responses {
                let mut response = before.clone();
                rereader.reader.read(&mut response);
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
