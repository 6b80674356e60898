//! The events of a board that a check has changed, for the webhooks that want them.

use domain::board::{Actionable, BoardUpdate, CheckFindings};
use domain::entity::Entity;
use domain::id::ActionableId;
use domain::ordinal::CheckNumber;
use domain::time::Timestamp;
use domain::webhook::{
    CreatedRecommendation, CreatedRecommendations, Event, EventData, EventId, EventKind, RecordedOutcome,
    RecordedOutcomes, Webhook, is_wanted,
};

/// Returns the events of a board's changes that webhooks want.
pub(super) fn board_events(
    entity: &Entity,
    check: CheckNumber,
    findings: &CheckFindings,
    update: &BoardUpdate,
    webhooks: &[Webhook],
    now: Timestamp,
) -> Vec<Event> {
    let actionable_id = |actionable: &Actionable| ActionableId {
        entity: entity.id,
        ordinal: actionable.ordinal,
    };
    let unnamed_title = |actionable: &Actionable| {
        let unnamed = actionable.recommendation.unnamed.as_ref();
        unnamed.map(|texts| texts.title.clone())
    };
    let created = update.created.iter().map(|actionable| CreatedRecommendation {
        actionable_id: actionable_id(actionable),
        title: actionable.recommendation.title.clone(),
        unnamed_title: unnamed_title(actionable),
        priority: actionable.recommendation.priority,
        source_type: actionable.recommendation.rule(),
        query: actionable.recommendation.evidence.query.clone(),
    });
    let recommendations: Vec<CreatedRecommendation> = created.collect();
    let recorded = findings.outcomes.iter().filter_map(|found| {
        let changed = update
            .changed
            .iter()
            .find(|changed| changed.ordinal == found.ordinal)?;
        (changed.outcome.as_ref() == Some(&found.outcome)).then(|| RecordedOutcome {
            actionable_id: actionable_id(changed),
            title: changed.recommendation.title.clone(),
            unnamed_title: unnamed_title(changed),
            outcome: found.outcome.clone(),
        })
    });
    let outcomes: Vec<RecordedOutcome> = recorded.collect();
    let event = |kind, what, data| {
        is_wanted(webhooks, kind, Some(&entity.id)).then(|| Event {
            id: EventId::of_check(what, &entity.id, check),
            at: now,
            entity: Some(entity.id),
            only: None,
            data,
        })
    };
    let mut events = Vec::new();
    if !recommendations.is_empty() {
        let data = EventData::RecommendationCreated(CreatedRecommendations {
            entity_id: entity.id,
            name: entity.name.clone(),
            recommendations,
        });
        events.extend(event(EventKind::RecommendationCreated, "recommendation", data));
    }
    if !outcomes.is_empty() {
        let data = EventData::RecommendationOutcome(RecordedOutcomes {
            entity_id: entity.id,
            name: entity.name.clone(),
            outcomes,
        });
        events.extend(event(EventKind::RecommendationOutcome, "outcome", data));
    }
    events
}
