//! The rules that make recommendations, with their categories and task types.

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

/// What a recommendation is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "ActionableCategory")]
#[serde(rename_all = "snake_case")]
pub enum Category {
    Visibility,
    Citation,
    Content,
}

/// The urgency of a recommendation or task. The most urgent priority is sorted first.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    High,
    Medium,
    Low,
}

/// The rule that created a recommendation.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    IntoStaticStr,
    VariantArray,
    schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum SourceType {
    LowVisibility,
    PersistentAbsence,
    ModelGap,
    CitationGap,
    CompetitorLead,
    UncitedMention,
    FanoutGap,
    LostVisibility,
}

impl SourceType {
    /// Returns the category of recommendations of the rule.
    pub fn category(self) -> Category {
        match self {
            Self::CitationGap | Self::UncitedMention => Category::Citation,
            Self::FanoutGap => Category::Content,
            Self::LowVisibility
            | Self::PersistentAbsence
            | Self::ModelGap
            | Self::CompetitorLead
            | Self::LostVisibility => Category::Visibility,
        }
    }

    /// Returns the kind of work that recommendations of the rule require.
    ///
    /// Models mention brands that they find on other sites, such as lists, reviews and discussions, so a
    /// rarely mentioned brand needs work there. Citations and searches depend on the brand's own pages. If a
    /// single model never mentions the brand, it usually cannot read the brand's site.
    pub fn task_type(self) -> TaskType {
        match self {
            Self::UncitedMention | Self::FanoutGap => TaskType::OnPage,
            Self::ModelGap => TaskType::Technical,
            Self::LowVisibility
            | Self::PersistentAbsence
            | Self::CitationGap
            | Self::CompetitorLead
            | Self::LostVisibility => TaskType::OffPage,
        }
    }
}

/// The place where the work of a task is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TaskType {
    /// The work is on other sites.
    OffPage,
    /// The work is in the content of the brand's own site.
    OnPage,
    /// The work is in the technology of the brand's own site.
    Technical,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_displayed_and_stored_by_its_name() {
        for rule in SourceType::VARIANTS {
            assert_eq!(serde_json::to_value(rule).unwrap(), rule.into_str());
        }
    }
}
