//! What a segment holds the facts of.

use domain::check_key::CheckKey;
use domain::facts::Family;
use domain::id::EntityId;
use domain::time::{Day, Month};

use crate::{Tenant, keys};

/// A check, or all checks of a month. The order of spans is that of the keys of their segments.
pub(super) trait Span: Copy {
    /// Returns the partition of the segments of a family.
    fn partition(tenant: &Tenant, entity: &EntityId, family: Family) -> String;

    /// Returns the prefix of the sort keys of its segments.
    fn prefix(self) -> String;

    /// Returns a sort key that follows its segments.
    fn until(self) -> String;

    /// Returns the last day with facts in its segments.
    fn last_day(self) -> Day;
}

impl Span for CheckKey {
    fn partition(tenant: &Tenant, entity: &EntityId, family: Family) -> String {
        keys::fact_partition(tenant, entity, family)
    }

    fn prefix(self) -> String {
        keys::segment_prefix(self)
    }

    fn until(self) -> String {
        keys::segments_until(self)
    }

    fn last_day(self) -> Day {
        self.day
    }
}

impl Span for Month {
    fn partition(tenant: &Tenant, entity: &EntityId, family: Family) -> String {
        keys::month_partition(tenant, entity, family)
    }

    fn prefix(self) -> String {
        keys::month_prefix(self)
    }

    fn until(self) -> String {
        keys::month_until(self)
    }

    fn last_day(self) -> Day {
        Month::last_day(self)
    }
}
