//! Recommendations for tests.

use super::{ApiQuery, Evidence, Finding, Priority, Recommendation, Window};
use crate::metrics::Share;
use crate::period::DateRange;
use crate::time::Day;

/// Creates a recommendation with this title, priority and number of mentions.
pub(crate) fn recommendation(title: &str, priority: Priority, mentions: u64) -> Recommendation {
    let range = DateRange::recommendations(Day(20_000));
    let counts = Share {
        mentions,
        responses: 100,
    };
    Recommendation {
        title: title.to_owned(),
        description: String::new(),
        priority,
        evidence: Evidence {
            finding: Finding::LowVisibility {
                figures: counts.into(),
            },
            window: Window::from(&range),
            prompt_ids: Vec::new(),
            model_ids: Vec::new(),
            query: ApiQuery {
                path: "/trends/visibility".to_owned(),
                parameters: [].into(),
            },
        },
        unnamed: None,
    }
}
