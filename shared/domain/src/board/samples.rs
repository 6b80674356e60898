//! Made-up recommendations for tests.

use std::collections::BTreeMap;

use super::{Category, Evidence, Priority, Query, Recommendation, SourceType, TaskType, Window};
use crate::metrics::Share;
use crate::period::Range;
use crate::time::Day;

/// One that differs from others of another title, priority or count of mentions.
pub(crate) fn recommendation(title: &str, priority: Priority, mentions: u64) -> Recommendation {
    let counts = Share {
        mentions,
        responses: 100,
    };
    Recommendation {
        title: title.to_owned(),
        description: String::new(),
        category: Category::Visibility,
        priority,
        source_type: SourceType::LowVisibility,
        task_type: TaskType::OffPage,
        evidence: Evidence {
            rule: SourceType::LowVisibility,
            window: Window::from(&Range::recommendations(Day(20_000))),
            prompt_ids: Vec::new(),
            model_ids: Vec::new(),
            counts,
            score: counts.score(),
            interval: counts.interval(),
            query: Query {
                path: "/trends/visibility".to_owned(),
                parameters: BTreeMap::new(),
            },
        },
    }
}
