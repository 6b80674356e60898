//! The facts of one entity that the rules read.

use std::collections::{BTreeMap, BTreeSet};

use domain::brand::{Brand, BrandUuid};
use domain::group::{BrandLabels, ResolvedGroup, own_domains, row_domains};
use domain::ordinal::{BrandOrdinal, ModelOrdinal, PromptOrdinal};
use domain::ordinal_set::OrdinalSet;
use domain::period::DateRange;
use domain::time::Day;
use facts::families::{Citations, Fanouts, Visibility};
use facts::figures::FanoutSegment;
use facts::{SegmentError, Selection, StringInterner};

/// The brands that count as the entity, and those that are its rivals.
#[derive(Debug, Clone)]
pub struct BrandContext {
    /// The brands whose mentions count as the entity's: its own brand and the other members of its group.
    pub own: OrdinalSet<BrandOrdinal>,
    /// The groups whose brands are one row.
    pub groups: Vec<ResolvedGroup>,
    /// The brands that the workspace tracks or groups, or did so once, by UUID.
    pub known: BTreeMap<BrandUuid, Brand>,
    pub names: BrandLabels,
}

impl BrandContext {
    pub fn own_domains(&self) -> Vec<&str> {
        own_domains(&self.own, &self.known)
    }
}

/// The decoded facts of an entity, by day and check.
#[derive(Debug, Default)]
pub struct EntityFacts {
    visibility: Vec<(Day, Visibility)>,
    citations: Vec<(Day, Citations)>,
    fanouts: Vec<(Day, Fanouts)>,
    domains: StringInterner,
    searches: StringInterner,
}

impl EntityFacts {
    /// Creates empty facts in which the rows of `groups` are interned even if they are never cited.
    pub fn new(groups: &[ResolvedGroup]) -> Self {
        let mut facts = Self::default();
        for domain in row_domains(groups) {
            facts.domains.intern(domain);
        }
        facts
    }

    /// Adds a segment. The segments of each family must be added in the order of their checks.
    pub fn add_visibility(&mut self, day: Day, bytes: &[u8]) -> Result<(), SegmentError> {
        self.visibility.push((day, Visibility::decode(bytes)?));
        Ok(())
    }

    pub fn add_citations(&mut self, day: Day, bytes: &[u8]) -> Result<(), SegmentError> {
        let segment = Citations::decode(bytes, &mut self.domains)?;
        self.citations.push((day, segment));
        Ok(())
    }

    pub fn add_fanouts(&mut self, day: Day, bytes: &[u8]) -> Result<(), SegmentError> {
        let segment = Fanouts::decode(bytes, &mut self.searches)?;
        self.fanouts.push((day, segment));
        Ok(())
    }

    pub(super) fn visibility(&self, range: &DateRange) -> impl Iterator<Item = (Day, &Visibility)> {
        inside(&self.visibility, range)
    }

    pub(super) fn citations(&self, range: &DateRange) -> impl Iterator<Item = &Citations> {
        inside(&self.citations, range).map(|(_, segment)| segment)
    }

    pub(super) fn fanouts<'a>(
        &'a self,
        range: &DateRange,
        selection: &'a Selection,
    ) -> Vec<FanoutSegment<'a>> {
        let selected = |(_, segment)| FanoutSegment {
            segment,
            selection,
            model_numbers: &[],
        };
        inside(&self.fanouts, range).map(selected).collect()
    }

    pub(super) fn domains(&self) -> &StringInterner {
        &self.domains
    }

    pub(super) fn searches(&self) -> &StringInterner {
        &self.searches
    }

    /// Returns the ordinals of the models that were asked each prompt, by prompt ordinal.
    pub(super) fn models(&self, range: &DateRange) -> BTreeMap<PromptOrdinal, BTreeSet<ModelOrdinal>> {
        let mut models: BTreeMap<PromptOrdinal, BTreeSet<ModelOrdinal>> = BTreeMap::new();
        for (_, check) in self.visibility(range) {
            for cell in check.cells() {
                models.entry(cell.prompt).or_default().insert(cell.model);
            }
        }
        models
    }
}

fn inside<'a, S>(
    segments: &'a [(Day, S)],
    range: &DateRange,
) -> impl Iterator<Item = (Day, &'a S)> + use<'a, S> {
    let range = *range;
    let segments = segments.iter().map(|(day, segment)| (*day, segment));
    segments.filter(move |(day, _)| range.contains(*day))
}
