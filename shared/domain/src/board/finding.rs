//! What each rule found, with its numbers.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{Figures, Measure, Query, SourceType};

/// Tagged with the rule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "rule", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Finding {
    /// A prompt with a low visibility score.
    LowVisibility {
        #[serde(flatten)]
        figures: Figures,
    },
    /// A prompt whose answers have not named the brand for a while.
    PersistentAbsence {
        /// Complete checks in a row.
        checks: usize,
        /// The day of the first of them.
        since: String,
        #[serde(flatten)]
        figures: Figures,
    },
    /// A model that never names the brand.
    ModelGap {
        model: String,
        #[serde(flatten)]
        figures: Figures,
        /// What the other models do.
        others: Measure,
    },
    /// A third party's site that is cited where the brand is not named.
    CitationGap {
        domain: String,
        cited_entity_uuid: Uuid,
        citations: u64,
        /// The most cited ones.
        urls: Vec<CitedUrl>,
    },
    /// A rival that is named clearly more often.
    CompetitorLead {
        rival: Voice,
        own: Voice,
        /// The entity's visibility, whose responses both are mentioned in.
        visibility: Measure,
    },
    /// A prompt whose answers name the brand and never cite its site.
    UncitedMention {
        #[serde(flatten)]
        figures: Figures,
        /// Of the entity's own domains.
        citations: u64,
    },
    /// A web search of the models, in answers that never cite the brand's site.
    FanoutGap {
        search_query: String,
        frequency: u64,
        unique_responses: u64,
        own_citations: OwnCitations,
    },
    /// The brand is named clearly less often than before, by all or in one prompt's answers.
    LostVisibility { before: Measure, after: Measure },
}

/// A URL, and how many answers cite it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CitedUrl {
    pub url: String,
    pub citation_count: u64,
}

/// A row of the competitors.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Voice {
    pub entity_uuid: Uuid,
    pub name: String,
    pub domain: Option<String>,
    pub mentions: u64,
    pub share_of_voice: Option<f64>,
}

/// Citations of the entity's own domains, with the call that lists them prompt by prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OwnCitations {
    pub citations: u64,
    pub query: Query,
}

impl Finding {
    pub fn rule(&self) -> SourceType {
        match self {
            Self::LowVisibility { .. } => SourceType::LowVisibility,
            Self::PersistentAbsence { .. } => SourceType::PersistentAbsence,
            Self::ModelGap { .. } => SourceType::ModelGap,
            Self::CitationGap { .. } => SourceType::CitationGap,
            Self::CompetitorLead { .. } => SourceType::CompetitorLead,
            Self::UncitedMention { .. } => SourceType::UncitedMention,
            Self::FanoutGap { .. } => SourceType::FanoutGap,
            Self::LostVisibility { .. } => SourceType::LostVisibility,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::{Evidence, Recommendation};
    use super::*;

    #[test]
    fn what_was_stored_when_there_was_one_rule_reads_as_a_finding_of_it() {
        let evidence = json!({
            "rule": "low_visibility", "window": {"startDate": "2026-03-04", "endDate": "2026-03-10", "days": 7},
            "promptIds": ["acme000000000000-p1"], "modelIds": ["00000000-0000-0000-0000-000000000000"],
            "counts": {"mentions": 1, "responses": 7}, "score": 14.29, "interval": [2.57, 51.31],
            "query": {"path": "/trends/visibility", "parameters": {"entityId": "acme000000000000"}},
        });
        let stored = json!({
            "title": "Do", "description": "It", "category": "visibility", "priority": "low",
            "sourceType": "low_visibility", "taskType": "off-page", "evidence": evidence,
        });
        let read: Recommendation = serde_json::from_value(stored).unwrap();
        assert_eq!(read.rule(), SourceType::LowVisibility);
        assert_eq!(serde_json::to_value(&read.evidence).unwrap(), evidence);
        let unknown = json!({"rule": "guess"});
        assert!(serde_json::from_value::<Evidence>(unknown).is_err());
    }
}
