//! The findings of the rules, with their figures.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::api_query::ApiQuery;
use super::scored_counts::{Measurement, ScoredCounts};
use super::source_type::SourceType;

/// A finding, tagged with its rule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(tag = "rule", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Finding {
    /// A prompt with a low visibility score.
    LowVisibility {
        #[serde(flatten)]
        figures: ScoredCounts,
    },
    /// A prompt whose answers in at least three consecutive complete checks do not mention the brand.
    PersistentAbsence {
        /// The number of consecutive complete checks whose answers do not mention the brand.
        checks: usize,
        /// The UTC day of the first of these checks.
        #[schemars(with = "crate::schema::IsoDay")]
        since: String,
        #[serde(flatten)]
        figures: ScoredCounts,
    },
    /// A model that never mentions the brand.
    ModelGap {
        /// The model's name.
        model: String,
        #[serde(flatten)]
        figures: ScoredCounts,
        /// The figures of the other models.
        others: Measurement,
    },
    /// A third party's site that is cited in answers that do not mention the brand.
    CitationGap {
        /// The cited domain.
        domain: String,
        /// The UUID of the cited domain's brand.
        cited_entity_uuid: Uuid,
        /// The number of the domain's citations in answers that do not mention the brand.
        citations: u64,
        /// The domain's most cited pages.
        #[schemars(length(max = crate::limits::MAX_EVIDENCE_URLS))]
        urls: Vec<CitedUrl>,
    },
    /// A rival that is mentioned significantly more often.
    CompetitorLead {
        /// The brand that is mentioned more often.
        rival: ShareOfVoice,
        /// The entity's own brand.
        own: ShareOfVoice,
        /// The entity's visibility in the responses in which both brands are counted.
        visibility: Measurement,
    },
    /// A prompt whose answers mention the brand and never cite its site.
    UncitedMention {
        #[serde(flatten)]
        figures: ScoredCounts,
        /// The number of citations of the entity's own domains.
        citations: u64,
    },
    /// A web search of the models, in answers that never cite the brand's site.
    FanoutGap {
        /// The text of the web search.
        search_query: String,
        /// The number of times that the search was run.
        frequency: u64,
        /// The number of responses for which the search was run.
        unique_responses: u64,
        /// The citations of the entity's own domains in these responses.
        own_citations: OwnCitations,
    },
    /// The brand is mentioned significantly less often than before, in all answers or in the answers to one
    /// prompt.
    LostVisibility {
        /// The figures of the earlier days.
        before: Measurement,
        /// The figures of the later days.
        after: Measurement,
    },
}

/// A cited page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "EvidenceUrl")]
#[serde(rename_all = "camelCase")]
pub struct CitedUrl {
    /// The page's URL.
    pub url: String,
    /// The number of responses that cite the page.
    pub citation_count: u64,
}

/// The mentions of a brand, and their share of the mentions of all brands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "BrandShareOfVoice")]
#[serde(rename_all = "camelCase")]
pub struct ShareOfVoice {
    /// The brand's UUID.
    pub entity_uuid: Uuid,
    /// The brand's name.
    pub name: String,
    /// The brand's domain. Null for an individual without one.
    pub domain: Option<String>,
    /// The number of responses that mention the brand.
    pub mentions: u64,
    /// 100 × the brand's mentions / the mentions of all brands, with two decimals. Null without any mention.
    #[schemars(with = "Option<crate::schema::Percentage>")]
    pub share_of_voice: Option<f64>,
}

/// Citations of the entity's own domains, with the request that lists them prompt by prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct OwnCitations {
    /// The number of citations of the entity's own domains.
    pub citations: u64,
    /// The request that lists the citations prompt by prompt.
    pub query: ApiQuery,
}

impl Finding {
    /// Returns the rule of the finding.
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
    fn evidence_stored_before_other_rules_existed_is_a_finding_of_low_visibility() {
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
