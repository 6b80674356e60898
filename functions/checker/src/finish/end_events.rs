//! The events of a check that has ended, for the webhooks that want them.

use domain::board::{ApiQuery, Measurement};
use domain::check::{Check, EndState};
use domain::check_key::CheckKey;
use domain::entity::{Entity, Problem};
use domain::family::Family;
use domain::group::{ResolvedGroup, counted_as, group_effect};
use domain::metrics::{Share, two_decimals};
use domain::ordinal::BrandOrdinal;
use domain::ordinal_set::OrdinalSet;
use domain::period::DateRange;
use domain::reading::counted_since;
use domain::time::{Day, Timestamp};
use domain::webhook::{
    CheckEnd, CheckProblem, Event, EventData, EventId, EventKind, VisibilityChange, Webhook, is_wanted,
};
use facts::Selection;
use facts::families::Visibility;
use facts::figures::{CountedBrands, VisibilityFilter, visibility_share};
use insights::alert;
use insights::comparison::{ComparedRanges, Judgement, WindowSegment, compare_whole_visibility};
use store::{Consistency, FactIndex, Tenant};

use crate::recommend::WorkspaceNames;
use crate::{Checker, CheckerError};

/// The events of a check that has ended.
#[derive(Default)]
pub(crate) struct EndEvents {
    pub(crate) events: Vec<Event>,
    /// The last day of the window in which a change was found that is told.
    pub(crate) alerted_on: Option<Day>,
}

/// A check that has ended, with what its events depend on.
pub(crate) struct EndedCheck<'a> {
    pub(crate) tenant: &'a Tenant,
    pub(crate) entity: &'a Entity,
    pub(crate) check: &'a Check,
    pub(crate) end: EndState,
    pub(crate) problems: &'a [Problem],
    pub(crate) now: Timestamp,
}

impl Checker {
    /// Returns the events of a check that webhooks want. No facts are read if none is wanted.
    pub(crate) async fn end_events(
        &self,
        ended: &EndedCheck<'_>,
        names: &WorkspaceNames,
        webhooks: &[Webhook],
    ) -> Result<EndEvents, CheckerError> {
        let EndedCheck { entity, check, .. } = ended;
        let end = match ended.end {
            EndState::Partial => EventKind::CheckPartial,
            EndState::Complete => EventKind::CheckCompleted,
        };
        let is_wanted = |kind| is_wanted(webhooks, kind, Some(&entity.id));
        let compared = alert::ranges_to_compare(check.day(), entity.last_alert)
            .filter(|_| is_wanted(EventKind::VisibilityChanged));
        if !is_wanted(end) && compared.is_none() {
            return Ok(EndEvents::default());
        }
        let days = compared.and_then(|ranges| DateRange::between(ranges.base.first, ranges.window.last));
        let range = days.unwrap_or(DateRange::single_day(check.day()));
        let facts = VisibilityFacts::read(self, ended.tenant, entity, &range, names).await?;
        let mut events = EndEvents::default();
        if is_wanted(end) {
            events.events.push(ended.event(
                EventId::of_check("check", &entity.id, check.check),
                facts.end_of(ended),
            ));
        }
        if let Some(change) = compared.and_then(|ranges| facts.change(entity, &ranges)) {
            let id = EventId::of_check("change", &entity.id, check.check);
            events
                .events
                .push(ended.event(id, EventData::VisibilityChanged(Box::new(change))));
            events.alerted_on = Some(check.day());
        }
        Ok(events)
    }

    /// Returns what the scheduled checks of a workspace cost a day if every question is answered, in credits,
    /// if a webhook wants to be told of a low balance.
    pub(crate) fn credits_per_day(&self, names: &WorkspaceNames, webhooks: &[Webhook]) -> Option<i64> {
        if !is_wanted(webhooks, EventKind::CreditsLow, None) {
            return None;
        }
        let scheduled = names
            .entities
            .iter()
            .filter(|entity| entity.next_check_at.is_some());
        let per_day = scheduled.map(|entity| {
            let models = entity
                .models
                .iter()
                .filter_map(|model| self.catalogue.get(*model));
            let per_prompt: i64 = models.map(|model| i64::from(model.credits)).sum();
            i64::from(entity.prompts) * per_prompt * 24 / i64::from(entity.frequency_hours.max(1))
        });
        Some(per_day.sum())
    }
}

impl EndedCheck<'_> {
    fn event(&self, id: EventId, data: EventData) -> Event {
        Event {
            id,
            at: self.now,
            entity: Some(self.entity.id),
            only: None,
            data,
        }
    }
}

/// The visibility facts of some days.
struct VisibilityFacts {
    index: FactIndex,
    segments: Vec<(Day, Visibility)>,
    brands: OrdinalSet<BrandOrdinal>,
    groups: Vec<ResolvedGroup>,
}

impl VisibilityFacts {
    async fn read(
        checker: &Checker,
        tenant: &Tenant,
        entity: &Entity,
        range: &DateRange,
        names: &WorkspaceNames,
    ) -> Result<Self, CheckerError> {
        let index = checker
            .store
            .fact_index(tenant, &entity.id, &[*range], Consistency::Strong)
            .await?;
        let index = index.without_interim();
        let indexed = index.segments_of(Family::Visibility)?;
        let read = checker
            .store
            .segments(tenant, &entity.id, Family::Visibility, &indexed)
            .await?;
        let decode = |(check, encoded): (CheckKey, Vec<u8>)| {
            let decoded = Visibility::decode(&encoded).map_err(|e| CheckerError::Facts(e.to_string()))?;
            Ok((check.day, decoded))
        };
        Ok(Self {
            index,
            segments: read
                .into_iter()
                .map(decode)
                .collect::<Result<_, CheckerError>>()?,
            brands: group_effect(entity, &names.groups, &names.known_brands).brands,
            groups: ResolvedGroup::applying_to(&entity.id, &names.groups, &names.known_brands),
        })
    }

    /// Returns the data of the event that the check has ended.
    fn end_of(&self, ended: &EndedCheck<'_>) -> EventData {
        let (entity, day) = (ended.entity, ended.check.day());
        let selection = Selection::default();
        let filter = VisibilityFilter {
            brands: &self.brands,
            selection: &selection,
        };
        let of_day = self
            .segments
            .iter()
            .filter(|(segment_day, _)| *segment_day == day);
        let share: Share = of_day.map(|(_, segment)| visibility_share(segment, filter)).sum();
        let range = DateRange::single_day(day);
        let query = ApiQuery::new("/trends/visibility", &entity.id, &range);
        let end = CheckEnd {
            entity_id: entity.id,
            name: entity.name.clone(),
            check: ended.check.check,
            visibility: Measurement::new(&range, share, query),
            problems: ended.problems.iter().map(to_problem).collect(),
        };
        match ended.end {
            EndState::Partial => EventData::CheckPartial(end),
            EndState::Complete => EventData::CheckCompleted(end),
        }
    }

    /// Returns the change of the visibility that is told. There is none if the answers of the days were read
    /// for different names.
    fn change(&self, entity: &Entity, ranges: &ComparedRanges) -> Option<VisibilityChange> {
        let readings = self.index.readings().map(|(check, reading)| (check.day, reading));
        let uniform_since = counted_since(ranges.base.first, readings)?;
        let judgement = self.judge(entity, ranges);
        if uniform_since > ranges.base.first || !alert::is_change_to_tell(&judgement) {
            return None;
        }
        let compared = judgement.comparison?;
        let query = ApiQuery::new("/trends/compare", &entity.id, &ranges.window)
            .with("baseStartDate", ranges.base.first)
            .with("baseEndDate", ranges.base.last);
        let [base, window] = judgement.counts.map(|counts| Share {
            mentions: counts.count,
            responses: counts.total,
        });
        Some(VisibilityChange {
            entity_id: entity.id,
            name: entity.name.clone(),
            window: Measurement::new(&ranges.window, window, query.clone()),
            base: Measurement::new(&ranges.base, base, query.clone()),
            change: two_decimals(100.0 * compared.change),
            change_interval: compared.interval.map(|end| two_decimals(100.0 * end)),
            p_value: compared.p_value,
            query,
        })
    }

    fn judge(&self, entity: &Entity, ranges: &ComparedRanges) -> Judgement {
        let selection = Selection::default();
        let segments = self.segments.iter().filter_map(|(day, segment)| {
            Some(WindowSegment {
                side: ranges.side_of(*day)?,
                day: *day,
                entity_index: 0,
                segment,
                selection: &selection,
            })
        });
        let segments: Vec<WindowSegment<'_, Visibility>> = segments.collect();
        let counted_as = counted_as(&self.groups);
        let brands = CountedBrands {
            own: &self.brands,
            counted_as: &counted_as,
        };
        let models = [entity.model_ordinals.as_slice()];
        compare_whole_visibility(*ranges, &models, &segments, brands)
    }
}

fn to_problem(problem: &Problem) -> CheckProblem {
    CheckProblem {
        provider: problem.provider.clone(),
        model_id: problem.model_id,
        reason: problem.reason.clone(),
    }
}
