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
use crate::segment_cache::{SegmentCache, SegmentKey};
use crate::selected_facts::{SelectedFacts, SelectedSegment};

/// The encoded segments of an entity, by check and bucket.
type Encoded = BTreeMap<(CheckKey, usize), Arc<[u8]>>;

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
        let decode = |encoded: &[u8], _: &mut StringInterner| Visibility::decode(encoded);
        self.read(Family::Visibility, StringInterner::default(), decode)
            .await
    }

    /// Reads the cited domains. Those in `domains` have ids even if they are not cited.
    pub async fn citations(self, domains: &[&str]) -> Result<SelectedFacts<'a, Citations>, StoreError> {
        let mut texts = StringInterner::default();
        for domain in domains {
            texts.intern(domain);
        }
        self.read(Family::Citations, texts, Citations::decode).await
    }

    /// Reads the links to some domains. Only the buckets that contain their URLs are read, and only their
    /// URLs are decoded.
    pub async fn links(self, domains: &[&str]) -> Result<SelectedFacts<'a, Links>, StoreError> {
        let reads = self.entities.iter().map(|counted| self.buckets(counted, domains));
        let decode = |encoded: &[u8], texts: &mut StringInterner| Links::decode(encoded, domains, texts);
        self.decode(try_join_bounded(reads).await?, StringInterner::default(), decode)
    }

    /// Reads the query fanouts.
    pub async fn fanouts(self) -> Result<SelectedFacts<'a, Fanouts>, StoreError> {
        let texts = StringInterner::default();
        self.read(Family::Fanouts, texts, Fanouts::decode).await
    }

    /// Reads the listed responses.
    pub async fn responses(self) -> Result<SelectedFacts<'a, Responses>, StoreError> {
        let decode = |encoded: &[u8], _: &mut StringInterner| Responses::decode(encoded);
        self.read(Family::Responses, StringInterner::default(), decode)
            .await
    }

    /// Reads the segments of a family. `texts` has the texts that have ids even if no segment has them, and
    /// `decode` adds those of a segment.
    async fn read<F>(
        self,
        family: Family,
        texts: StringInterner,
        decode: impl FnMut(&[u8], &mut StringInterner) -> Result<F, SegmentError>,
    ) -> Result<SelectedFacts<'a, F>, StoreError> {
        let reads = self.entities.iter().map(|counted| self.segments(counted, family));
        self.decode(try_join_bounded(reads).await?, texts, decode)
    }

    /// Decodes the segments of each entity.
    fn decode<F>(
        self,
        encoded: Vec<Encoded>,
        mut texts: StringInterner,
        mut decode: impl FnMut(&[u8], &mut StringInterner) -> Result<F, SegmentError>,
    ) -> Result<SelectedFacts<'a, F>, StoreError> {
        let mut segments = Vec::with_capacity(encoded.iter().map(BTreeMap::len).sum());
        for (entity_index, (counted, encoded)) in self.entities.iter().zip(encoded).enumerate() {
            for ((check, _), encoded) in encoded {
                segments.push(SelectedSegment {
                    check,
                    segment: decode(&encoded, &mut texts)?,
                    entity_index,
                    selection: &counted.selection,
                });
            }
        }
        Ok(SelectedFacts { texts, segments })
    }

    /// Returns the segments of a family that the index of an entity names.
    async fn segments(self, counted: &CountedEntity, family: Family) -> Result<Encoded, StoreError> {
        let indexed = counted.index.segments_of(family)?;
        let wanted = indexed.iter().map(|(check, segment)| (*check, segment.rev, 0));
        let keys = self.keys(counted, family, wanted);
        let mut encoded = self.cached(&keys);
        let is_cached = |(check, _): &(CheckKey, SegmentRef)| encoded.contains_key(&(*check, 0));
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
        self.add(
            &mut encoded,
            &keys,
            read.map(|(check, bytes)| ((check, 0), bytes)),
        );
        Ok(encoded)
    }

    /// Returns the buckets of an entity's links that contain URLs of the domains.
    async fn buckets(self, counted: &CountedEntity, domains: &[&str]) -> Result<Encoded, StoreError> {
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
        let mut encoded = self.cached(&keys);
        let missing = keys.iter().filter(|(place, _)| !encoded.contains_key(place));
        let missing = missing
            .map(|((check, bucket), key)| (*check, key.revision, *bucket))
            .collect();
        let id = &counted.entity.id;
        let read = self
            .store
            .buckets(self.tenant, id, Family::Links, missing)
            .await?;
        self.add(&mut encoded, &keys, read);
        Ok(encoded)
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

    fn cached(self, keys: &BTreeMap<(CheckKey, usize), SegmentKey>) -> Encoded {
        let cached = keys
            .iter()
            .map(|(place, key)| Some((*place, self.cache.get(key)?)));
        cached.flatten().collect()
    }

    /// Adds what was read, to the cache as well.
    fn add(
        self,
        encoded: &mut Encoded,
        keys: &BTreeMap<(CheckKey, usize), SegmentKey>,
        read: impl IntoIterator<Item = ((CheckKey, usize), Vec<u8>)>,
    ) {
        for (place, bytes) in read {
            let bytes: Arc<[u8]> = bytes.into();
            if let Some(key) = keys.get(&place) {
                self.cache.insert(key.clone(), bytes.clone());
            }
            encoded.insert(place, bytes);
        }
    }
}
