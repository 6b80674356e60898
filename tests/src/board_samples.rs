//! Sample recommendations and outcomes, for boards that are filled without a check.

use domain::board::{
    ApiQuery, Candidate, CheckFindings, CitedUrl, Evidence, Finding, Fingerprint, Measurement, Outcome,
    OutcomeResult, Priority, Recommendation, SourceType, TaskOutcome, Window,
};
use domain::id::{EntityId, PromptId};
use domain::limits::{MAX_EVIDENCE_PROMPTS, MAX_EVIDENCE_URL_CHARS, MAX_EVIDENCE_URLS};
use domain::metrics::Share;
use domain::ordinal::PromptOrdinal;
use domain::period::DateRange;
use domain::time::{Day, Timestamp};
use uuid::Uuid;

/// Returns the candidate that `impact` answers to a prompt do not mention the brand. The prompt's ordinal
/// decides the priority.
pub fn candidate(entity: &EntityId, prompt: u32, impact: u64) -> Candidate {
    let share = Share {
        mentions: 1,
        responses: impact + 1,
    };
    let id = PromptId {
        entity: *entity,
        ordinal: prompt.into(),
    };
    let range = DateRange::recommendations(Day(20_500));
    let priorities = [Priority::Low, Priority::High, Priority::Medium];
    Candidate {
        fingerprint: Fingerprint::new(SourceType::LowVisibility, format!("p{prompt}")),
        impact,
        recommendation: Recommendation {
            title: format!("Title {prompt}"),
            description: format!("Description {prompt}"),
            priority: priorities[(prompt % 3) as usize],
            evidence: Evidence {
                finding: Finding::LowVisibility {
                    figures: share.into(),
                },
                window: Window::from(&range),
                query: ApiQuery::new("/trends/visibility", entity, &range)
                    .with_prompts(std::slice::from_ref(&id)),
                prompt_ids: vec![id],
                model_ids: vec![Uuid::from_u128(7)],
            },
            unnamed: None,
        },
    }
}

/// Returns one candidate for each prompt from 1 to `count`, in descending order of impact.
pub fn candidates(entity: &EntityId, count: u32) -> Vec<Candidate> {
    (1..=count)
        .map(|prompt| candidate(entity, prompt, u64::from(1_000 - prompt)))
        .collect()
}

/// Returns the findings of an incomplete check. Its candidates may not be all that exist.
pub fn incomplete_findings(candidates: &[Candidate]) -> CheckFindings {
    CheckFindings {
        candidates: candidates.to_vec(),
        ..CheckFindings::default()
    }
}

/// Returns a candidate with the largest possible evidence.
pub fn largest_candidate(entity: &EntityId, subject: u32) -> Candidate {
    let id = |ordinal: usize| PromptId {
        entity: *entity,
        ordinal: PromptOrdinal::new(u32::MAX - u32::try_from(ordinal).unwrap_or_default()),
    };
    let prompts: Vec<PromptId> = (0..MAX_EVIDENCE_PROMPTS).map(id).collect();
    let url = |n| CitedUrl {
        url: format!(
            "https://example.com/{n}{}",
            "x".repeat(MAX_EVIDENCE_URL_CHARS - 21)
        ),
        citation_count: u64::MAX,
    };
    let mut candidate = candidate(entity, subject, 1);
    let evidence = &mut candidate.recommendation.evidence;
    evidence.finding = Finding::CitationGap {
        domain: "example.com".to_owned(),
        cited_entity_uuid: Uuid::from_u128(7),
        citations: u64::MAX,
        urls: (0..MAX_EVIDENCE_URLS).map(url).collect(),
    };
    evidence.query = evidence.query.clone().with_prompts(&prompts);
    evidence.prompt_ids = prompts;
    evidence.model_ids = (0..20).map(Uuid::from_u128).collect();
    candidate.recommendation.description = "long ".repeat(400);
    candidate
}

/// Returns the largest possible outcome, for a task that was done at `done`.
pub fn largest_outcome(entity: &EntityId, ordinal: u32, done: Timestamp) -> TaskOutcome {
    let range = DateRange::recommendations(Day(20_500));
    let evidence = largest_candidate(entity, 1).recommendation.evidence;
    let share = Share {
        mentions: 1,
        responses: 20,
    };
    let measurement = || Measurement::new(&range, share, evidence.query.clone());
    TaskOutcome {
        ordinal: ordinal.into(),
        done,
        outcome: Outcome {
            result: OutcomeResult::NoChange,
            before: measurement(),
            after: measurement(),
        },
    }
}
