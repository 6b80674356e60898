//! Reads the facts of entities, of which the store is asked for those that the cache lacks.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::check_key::CheckKey;
use domain::family::Family;
use domain::period::DateRange;
use domain::revision::Revision;
use futures::future::try_join_all;
use store::{SegmentRef, Store, StoreError, Tenant};

use crate::bounded_join::try_join_bounded;
use crate::codec::{SegmentError, StringInterner};
use crate::counted_entity::CountedEntity;
use crate::families::{Citations, Fanouts, Links, Responses, Visibility, bucket_of};
use crate::segment_cache::{CachedSegment, DecodedSegment, SegmentCache, SegmentKey};
use crate::selected_facts::{SelectedFacts, SelectedSegment};

/// The segments of an entity, by check and bucket.
type Segments = BTreeMap<(CheckKey, usize), Segment>;

/// A segment that the cache has, or that was read.
enum Segment {
    Cached(DecodedSegment),
    Read { key: SegmentKey, encoded: Vec<u8> },
}

/// The entities and days whose facts are read.
#[derive(Clone, Copy)]
pub struct FactReader<'a> {
    pub store: &'a Store,
    pub tenant: &'a Tenant,
    pub cache: &'a SegmentCache,
    /// The ranges of days that are read, ascending.
    pub ranges: &'a [DateRange],
    pub entities: &'a [CountedEntity],
}

impl<'a> FactReader<'a> {
    /// Reads the visibility facts.
    pub async fn visibility(self) -> Result<SelectedFacts<'a, Visibility>, StoreError> {
        self.read(
            Family::Visibility,
            StringInterner::default(),
            |segment, _| match segment {
                DecodedSegment::Visibility(visibility) => Ok(visibility),
                _ => Err(SegmentError::WrongFamily),
            },
        )
        .await
    }

    /// Reads the cited domains. Those in `domains` have ids even if they are not cited.
    pub async fn citations(self, domains: &[&str]) -> Result<SelectedFacts<'a, Citations>, StoreError> {
        let mut texts = StringInterner::default();
        for domain in domains {
            texts.intern(domain);
        }
        self.read(Family::Citations, texts, |segment, texts| match segment {
            DecodedSegment::Citations(citations) => Ok(Arc::new(citations.intern(texts))),
            _ => Err(SegmentError::WrongFamily),
        })
        .await
    }

    /// Reads the links to some domains. Only the buckets that contain their URLs are read, and only their
    /// URLs are decoded.
    pub async fn links(self, domains: &[&str]) -> Result<SelectedFacts<'a, Links>, StoreError> {
        let reads = self.entities.iter().map(|counted| self.buckets(counted, domains));
        let segments = try_join_bounded(reads).await?;
        self.select(
            segments,
            StringInterner::default(),
            |segment, texts| match segment {
                DecodedSegment::Links(columns) => {
                    Ok(Arc::new(Links::from_columns(&columns, domains, texts)?))
                }
                _ => Err(SegmentError::WrongFamily),
            },
        )
    }

    /// Reads the query fanouts.
    pub async fn fanouts(self) -> Result<SelectedFacts<'a, Fanouts>, StoreError> {
        self.read(
            Family::Fanouts,
            StringInterner::default(),
            |segment, texts| match segment {
                DecodedSegment::Fanouts(fanouts) => Ok(Arc::new(fanouts.intern(texts))),
                _ => Err(SegmentError::WrongFamily),
            },
        )
        .await
    }

    /// Reads the listed responses.
    pub async fn responses(self) -> Result<SelectedFacts<'a, Responses>, StoreError> {
        self.read(
            Family::Responses,
            StringInterner::default(),
            |segment, _| match segment {
                DecodedSegment::Responses(responses) => Ok(responses),
                _ => Err(SegmentError::WrongFamily),
            },
        )
        .await
    }

    /// Reads the segments of a family. `texts` has the texts that have ids even if no segment has them, and
    /// `intern` adds those of a segment.
    async fn read<F>(
        self,
        family: Family,
        texts: StringInterner,
        intern: impl FnMut(DecodedSegment, &mut StringInterner) -> Result<Arc<F>, SegmentError>,
    ) -> Result<SelectedFacts<'a, F>, StoreError> {
        let reads = self.entities.iter().map(|counted| self.segments(counted, family));
        self.select(try_join_bounded(reads).await?, texts, intern)
    }

    /// Returns the segments of each entity with its selection. What was read is decoded one after the other,
    /// so that the segments of a long range are never in memory in all forms at once.
    fn select<F>(
        self,
        of_entities: Vec<Segments>,
        mut texts: StringInterner,
        mut intern: impl FnMut(DecodedSegment, &mut StringInterner) -> Result<Arc<F>, SegmentError>,
    ) -> Result<SelectedFacts<'a, F>, StoreError> {
        let mut segments = Vec::with_capacity(of_entities.iter().map(BTreeMap::len).sum());
        for (entity_index, (counted, of_entity)) in self.entities.iter().zip(of_entities).enumerate() {
            for ((check, _), segment) in of_entity {
                let decoded = self.decoded(segment)?;
                segments.push(SelectedSegment {
                    check,
                    segment: intern(decoded, &mut texts)?,
                    entity_index,
                    selection: &counted.selection,
                });
            }
        }
        Ok(SelectedFacts { texts, segments })
    }

    /// Returns the decoded segment, which is in the cache then.
    fn decoded(self, segment: Segment) -> Result<DecodedSegment, SegmentError> {
        match segment {
            Segment::Cached(decoded) => Ok(decoded),
            Segment::Read { key, encoded } => {
                let segment = CachedSegment::decode(key.family, &encoded)?;
                let decoded = segment.decoded.clone();
                self.cache.insert(key, segment);
                Ok(decoded)
            }
        }
    }

    /// Returns the segments of a family that the index of an entity names.
    async fn segments(self, counted: &CountedEntity, family: Family) -> Result<Segments, StoreError> {
        let indexed = counted.index.segments_of(family)?;
        let wanted = indexed.iter().map(|(check, segment)| (*check, segment.rev, 0));
        let keys = self.keys(counted, family, wanted);
        let mut segments = self.cached(&keys);
        let is_cached = |(check, _): &(CheckKey, SegmentRef)| segments.contains_key(&(*check, 0));
        let mut reads = Vec::new();
        for range in self.ranges {
            // What is between two ranges, or in the cache, is not read.
            let start = indexed.partition_point(|(check, _)| check.day < range.first);
            let end = indexed.partition_point(|(check, _)| check.day <= range.last);
            let runs = indexed[start..end].chunk_by(|a, b| is_cached(a) == is_cached(b));
            for missing in runs.filter(|run| !run.iter().any(is_cached)) {
                let id = &counted.entity.id;
                reads.push(self.store.segments(self.tenant, id, family, missing));
            }
        }
        let read = try_join_all(reads).await?.into_iter().flatten();
        add(
            &mut segments,
            &keys,
            read.map(|(check, bytes)| ((check, 0), bytes)),
        );
        Ok(segments)
    }

    /// Returns the buckets of an entity's links that contain URLs of the domains.
    async fn buckets(self, counted: &CountedEntity, domains: &[&str]) -> Result<Segments, StoreError> {
        let indexed = counted.index.segments_of(Family::Links)?;
        let of_check = |(check, segment): &(CheckKey, SegmentRef)| {
            let (check, segment) = (*check, *segment);
            let buckets = domains
                .iter()
                .map(move |domain| bucket_of(domain, segment.buckets));
            buckets
                .map(move |bucket| (check, segment.rev, bucket))
                .collect::<Vec<_>>()
        };
        let keys = self.keys(counted, Family::Links, indexed.iter().flat_map(of_check));
        let mut segments = self.cached(&keys);
        let missing = keys.iter().filter(|(place, _)| !segments.contains_key(place));
        let missing = missing
            .map(|((check, bucket), key)| (*check, key.revision, *bucket))
            .collect();
        let id = &counted.entity.id;
        let read = self
            .store
            .buckets(self.tenant, id, Family::Links, missing)
            .await?;
        add(&mut segments, &keys, read);
        Ok(segments)
    }

    fn keys(
        self,
        counted: &CountedEntity,
        family: Family,
        wanted: impl Iterator<Item = (CheckKey, Revision, usize)>,
    ) -> BTreeMap<(CheckKey, usize), SegmentKey> {
        let entity = Arc::new((*self.tenant.workspace(), counted.entity.id));
        let key = |(check, revision, bucket)| {
            let entity = entity.clone();
            let key = SegmentKey {
                entity,
                family,
                check,
                revision,
                bucket,
            };
            ((check, bucket), key)
        };
        wanted.map(key).collect()
    }

    fn cached(self, keys: &BTreeMap<(CheckKey, usize), SegmentKey>) -> Segments {
        let cached = keys
            .iter()
            .map(|(place, key)| Some((*place, Segment::Cached(self.cache.get(key)?.decoded))));
        cached.flatten().collect()
    }
}

/// Adds the wanted segments of those that were read.
fn add(
    segments: &mut Segments,
    keys: &BTreeMap<(CheckKey, usize), SegmentKey>,
    read: impl IntoIterator<Item = ((CheckKey, usize), Vec<u8>)>,
) {
    for (place, encoded) in read {
        if let Some(key) = keys.get(&place) {
            let key = key.clone();
            segments.insert(place, Segment::Read { key, encoded });
        }
    }
}
