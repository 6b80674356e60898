//! What a check would find, for boards that are filled without one.

use domain::board::{
    Category, Evidence, Fingerprint, Priority, Query, Recommendation, SourceType, TaskType, Window,
};
use domain::id::{EntityId, PromptId};
use domain::metrics::Share;
use domain::period::Range;
use domain::recommend::Cause;
use domain::time::Day;
use uuid::Uuid;

/// That so many answers to a prompt miss the brand; of high, medium and low priority in turn.
pub fn cause(entity: &EntityId, prompt: u32, impact: u64) -> Cause {
    let counts = Share {
        mentions: 1,
        responses: impact + 1,
    };
    let id = PromptId {
        entity: entity.clone(),
        ordinal: prompt,
    };
    let rule = SourceType::LowVisibility;
    let priorities = [Priority::Low, Priority::High, Priority::Medium];
    Cause {
        fingerprint: Fingerprint::new(rule, format!("p{prompt}")),
        impact,
        recommendation: Recommendation {
            title: format!("Title {prompt}"),
            description: format!("Description {prompt}"),
            category: Category::Visibility,
            priority: priorities[(prompt % 3) as usize],
            source_type: rule,
            task_type: TaskType::OffPage,
            evidence: Evidence {
                rule,
                window: Window::from(&Range::recommendations(Day(20_500))),
                prompt_ids: vec![id.clone()],
                model_ids: vec![Uuid::from_u128(7)],
                counts,
                score: counts.score(),
                interval: counts.interval(),
                query: Query {
                    path: "/trends/visibility".to_owned(),
                    parameters: [("promptIds".to_owned(), id.to_string())].into(),
                },
            },
        },
    }
}

/// One for each of the prompts 1 to `count`, the first of the greatest impact.
pub fn causes(entity: &EntityId, count: u32) -> Vec<Cause> {
    (1..=count)
        .map(|prompt| cause(entity, prompt, u64::from(1_000 - prompt)))
        .collect()
}
