//! A board with every kind of recommendation.

use acceptance::{Account, World, candidate, incomplete_findings};
use domain::board::{
    ApiQuery, Candidate, CheckFindings, CitedUrl, Counts, Finding, Fingerprint, Measurement, Outcome,
    OutcomeResult, OwnCitations, ScoredCounts, ShareOfVoice, TaskOutcome, TaskStatus,
};
use domain::id::{ActionableId, EntityId, TaskId};
use domain::metrics::Share;
use domain::period::DateRange;
use domain::time::Day;
use store::ReplyRecorder;
use uuid::Uuid;

/// Returns a finding of every rule.
fn findings(entity: &EntityId) -> Vec<Finding> {
    let share = Share {
        mentions: 1,
        responses: 20,
    };
    let figures: ScoredCounts = share.into();
    let range = DateRange::recommendations(Day(20_500));
    let query = ApiQuery::new("/trends/visibility", entity, &range);
    let measure = || Measurement::new(&range, share, query.clone());
    let voice = || ShareOfVoice {
        entity_uuid: Uuid::from_u128(7),
        name: "Rival".to_owned(),
        domain: Some("rival.example".to_owned()),
        mentions: 9,
        share_of_voice: Some(90.0),
    };
    let url = CitedUrl {
        url: "https://guide.example/page".to_owned(),
        citation_count: 3,
    };
    vec![
        Finding::LowVisibility { figures },
        Finding::PersistentAbsence {
            checks: 3,
            since: range.first.to_string(),
            figures,
        },
        Finding::ModelGap {
            model: "Model".to_owned(),
            figures,
            others: measure(),
        },
        Finding::CitationGap {
            domain: "guide.example".to_owned(),
            cited_entity_uuid: Uuid::from_u128(8),
            citations: 3,
            urls: vec![url],
        },
        Finding::CompetitorLead {
            rival: voice(),
            own: voice(),
            visibility: measure(),
        },
        Finding::UncitedMention {
            figures,
            citations: 0,
        },
        Finding::FanoutGap {
            search_query: "best tool".to_owned(),
            frequency: 4,
            unique_responses: 3,
            own_citations: OwnCitations {
                citations: 0,
                query: query.clone(),
            },
        },
        Finding::LostVisibility {
            before: measure(),
            after: measure(),
        },
    ]
}

/// Returns candidates of every rule, `times` times, in order of decreasing impact.
fn all(entity: &EntityId, times: u32) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for _ in 0..times {
        for finding in findings(entity) {
            let number = u32::try_from(candidates.len()).unwrap() + 1;
            let mut cause = candidate(entity, number, u64::from(100 - number));
            cause.fingerprint = Fingerprint::new(finding.rule(), number);
            cause.recommendation.evidence.finding = finding;
            candidates.push(cause);
        }
    }
    candidates
}

/// Fills the board with a done task with an outcome and a retired recommendation for every rule.
pub(super) async fn fill(world: &World, account: &Account, entity: &str) {
    let (store, tenant) = (&world.host.store, &account.tenant);
    let entity: EntityId = entity.parse().unwrap();
    let refill = async |check: u32, found: CheckFindings| {
        let refill = store.refill_board(tenant, &entity, check.into(), &found, |_| Vec::new());
        refill.await.unwrap()
    };
    let candidates = all(&entity, 2);
    refill(1, incomplete_findings(&candidates)).await;
    let mut outcomes = Vec::new();
    let done = u32::try_from(candidates.len() / 2).unwrap();
    for ordinal in 1..=done {
        let id = ActionableId {
            entity,
            ordinal: ordinal.into(),
        };
        let task = store
            .create_task(tenant, &id, &[], &ReplyRecorder::disabled())
            .await
            .unwrap();
        let id = TaskId {
            entity,
            ordinal: task.ordinal,
        };
        let moved = store
            .move_task(tenant, &id, Some(TaskStatus::Done), &ReplyRecorder::disabled())
            .await;
        outcomes.push(TaskOutcome {
            ordinal: ordinal.into(),
            done: moved.unwrap().done_at.unwrap(),
            outcome: outcome(&entity),
        });
    }
    let gone = |outcomes| CheckFindings {
        candidates: Vec::new(),
        can_retire_recommendations: true,
        outcomes,
    };
    assert_eq!(refill(2, gone(outcomes)).await.changed.len(), candidates.len());
    refill(3, gone(Vec::new())).await;
    refill(4, gone(Vec::new())).await;
}

/// Returns an outcome in citations of the entity's own domains.
fn outcome(entity: &EntityId) -> Outcome {
    let range = DateRange::recommendations(Day(20_500));
    let counts = Counts::Citations {
        own_citations: 2,
        citations: 30,
    };
    let measure = || {
        Measurement::new(
            &range,
            counts,
            ApiQuery::new("/entities/citations", entity, &range),
        )
    };
    Outcome {
        result: OutcomeResult::NoChange,
        before: measure(),
        after: measure(),
    }
}
