//! Counts with their score and its interval, also those of a range of days.

use serde::{Deserialize, Serialize};

use super::api_query::ApiQuery;
use crate::metrics::{Share, percent};
use crate::period::DateRange;

/// The counts behind a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(untagged, rename_all_fields = "camelCase")]
pub enum Counts {
    /// Answered responses, and how many of them mention the brand.
    Answers(Share),
    /// Citations, and how many of them are of the entity's own domains.
    #[schemars(title = "Citation")]
    Citations {
        /// How many of the citations are of the entity's own domains.
        own_citations: u64,
        /// The number of citations.
        citations: u64,
    },
}

/// Counts with their score and its interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "Figures")]
pub struct ScoredCounts {
    /// The counts behind the score.
    pub counts: Counts,
    /// 100 × the first count / the second, with two decimals. Null if nothing was counted.
    #[schemars(with = "Option<crate::schema::Percentage>")]
    pub score: Option<f64>,
    /// The low and the high end of the score's Wilson interval at 95 %, with two decimals. Null if nothing
    /// was counted.
    #[schemars(with = "Option<crate::schema::Interval>")]
    pub interval: Option<[f64; 2]>,
}

impl From<Share> for ScoredCounts {
    fn from(share: Share) -> Self {
        Counts::Answers(share).into()
    }
}

impl From<Counts> for ScoredCounts {
    fn from(counts: Counts) -> Self {
        let share = counts.share();
        Self {
            counts,
            score: percent(share.mentions, share.responses),
            interval: share.interval(),
        }
    }
}

impl Counts {
    /// Returns the counts as a share, of responses or of citations.
    pub fn share(self) -> Share {
        match self {
            Self::Answers(share) => share,
            Self::Citations {
                own_citations,
                citations,
            } => Share {
                mentions: own_citations,
                responses: citations,
            },
        }
    }
}

/// The figures of a range of days, with the request that returns them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "Measure")]
#[serde(rename_all = "camelCase")]
pub struct Measurement {
    /// The first UTC day.
    #[schemars(with = "crate::schema::IsoDay")]
    pub start_date: String,
    /// The last UTC day, inclusive.
    #[schemars(with = "crate::schema::IsoDay")]
    pub end_date: String,
    #[serde(flatten)]
    pub figures: ScoredCounts,
    /// The request that returns the figures.
    pub query: ApiQuery,
}

impl Measurement {
    pub fn new(range: &DateRange, figures: impl Into<ScoredCounts>, query: ApiQuery) -> Self {
        Self {
            start_date: range.first.to_string(),
            end_date: range.last.to_string(),
            figures: figures.into(),
            query,
        }
    }
}
