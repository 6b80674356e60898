//! The facts that rules look at.

use std::collections::{BTreeMap, BTreeSet};

use crate::brand::{Brand, BrandUuid};
use crate::facts::families::Citations;
use crate::facts::families::Fanouts;
use crate::facts::families::Visibility;
use crate::facts::questions::FanoutSegment;
use crate::facts::questions::SelectedSegment;
use crate::facts::{OrdinalSet, SegmentError, Selection, StringInterner};
use crate::group::{MergedBrands, Names, own_domains, row_domains};
use crate::period::Range;
use crate::time::Day;

/// Who counts as the entity, and as one of its rivals.
#[derive(Debug, Clone)]
pub struct Brands {
    /// The brands whose mentions count as the entity's: its own, and the other members of its group.
    pub own: OrdinalSet,
    /// The rows that groups make.
    pub merged: Vec<MergedBrands>,
    /// The brands that the workspace tracks or groups, or once did.
    pub known: BTreeMap<BrandUuid, Brand>,
    pub names: Names,
}

impl Brands {
    pub fn own_domains(&self) -> Vec<&str> {
        own_domains(&self.own, &self.known)
    }
}

/// A tracking's own facts, by day and check.
#[derive(Debug, Default)]
pub struct Facts {
    visibility: Vec<(Day, Visibility)>,
    citations: Vec<(Day, Citations)>,
    fanouts: Vec<(Day, Fanouts)>,
    domains: StringInterner,
    searches: StringInterner,
}

impl Facts {
    /// The rows of `merged` have numbers even where they are not cited.
    pub fn new(merged: &[MergedBrands]) -> Self {
        let mut facts = Self::default();
        for domain in row_domains(merged) {
            facts.domains.intern(domain);
        }
        facts
    }

    /// Adds the next check's segment, and so the others: what is rebuilt must come by day and check.
    pub fn add_visibility(&mut self, day: Day, sealed: &[u8]) -> Result<(), SegmentError> {
        self.visibility.push((day, Visibility::decode(sealed)?));
        Ok(())
    }

    pub fn add_citations(&mut self, day: Day, sealed: &[u8]) -> Result<(), SegmentError> {
        let segment = Citations::decode(sealed, &mut self.domains)?;
        self.citations.push((day, segment));
        Ok(())
    }

    pub fn add_fanouts(&mut self, day: Day, sealed: &[u8]) -> Result<(), SegmentError> {
        let segment = Fanouts::decode(sealed, &mut self.searches)?;
        self.fanouts.push((day, segment));
        Ok(())
    }

    pub(super) fn visibility(&self, range: &Range) -> impl Iterator<Item = (Day, &Visibility)> {
        inside(&self.visibility, range)
    }

    pub(super) fn citations<'a>(
        &'a self,
        range: &Range,
        selection: &'a Selection,
    ) -> Vec<SelectedSegment<'a, Citations>> {
        let part = |(day, segment)| SelectedSegment {
            day,
            segment,
            selection,
        };
        inside(&self.citations, range).map(part).collect()
    }

    pub(super) fn fanouts<'a>(&'a self, range: &Range, selection: &'a Selection) -> Vec<FanoutSegment<'a>> {
        let day = |(_, segment)| FanoutSegment {
            segment,
            selection,
            models: &[],
        };
        inside(&self.fanouts, range).map(day).collect()
    }

    pub(super) fn domains(&self) -> &StringInterner {
        &self.domains
    }

    pub(super) fn searches(&self) -> &StringInterner {
        &self.searches
    }

    /// The models that were asked each prompt, by ordinals.
    pub(super) fn models(&self, range: &Range) -> BTreeMap<u32, BTreeSet<u32>> {
        let mut models: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
        for (_, check) in self.visibility(range) {
            for cell in check.cells() {
                models.entry(cell.prompt).or_default().insert(cell.model);
            }
        }
        models
    }
}

fn inside<'a, S>(segments: &'a [(Day, S)], range: &Range) -> impl Iterator<Item = (Day, &'a S)> + use<'a, S> {
    let range = *range;
    let segments = segments.iter().map(|(day, segment)| (*day, segment));
    segments.filter(move |(day, _)| range.contains(*day))
}
