//! The figures that analytics and recommendations compute from decoded segments.
//!
//! They are sums over segments, each with the [`Selection`](super::Selection) of the rows that count.

mod answer_shares;
mod brand_mentions;
mod citation_ranking;
mod competitors;
mod counted_brands;
mod prompt_mentions;
mod queries;
mod ranking;
mod visibility_trend;
mod voices;

pub use answer_shares::{AnswerShares, answer_shares};
pub use brand_mentions::{BrandMentions, brand_mentions};
pub use citation_ranking::{
    CitationTrend, GroupedDomain, citation_trend, cited_urls, row_of_domains, top_domains,
};
pub use competitors::{Competitor, competitors};
pub use counted_brands::{CountedBrands, MentionCounts};
pub use prompt_mentions::{PromptMentions, mention_position, prompt_mentions};
pub use queries::{FanoutSegment, QueryPage, QueryRow, prompts_by_query, queries};
pub use ranking::{RankedText, Ranking};
pub use visibility_trend::{
    TrendPoint, VisibilityFilter, trend_of_shares, visibility_share, visibility_trend,
};
pub use voices::{NoShareOfVoiceReason, Voices};
