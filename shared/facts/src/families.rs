//! The families of facts, with their rows and the encoding of their segments.
//!
//! Rows are ordered by prompt, then model, with at most one row per prompt and model. [`encode_check`]
//! encodes all families from the same responses.

mod citations;
mod cited_urls;
mod encode_check;
mod fanouts;
mod links;
mod postings;
mod responses;
mod rows;
mod visibility;

pub use citations::{CitationRow, Citations};
pub use cited_urls::distinct_cited_urls;
pub use encode_check::{EncodedCheck, encode_check, encode_visibility};
pub use fanouts::{FanoutRow, FanoutRowRef, Fanouts, fanout_row};
pub use links::{LinkRow, Links, bucket_of};
pub use postings::{CitationCounts, CitedText, CitingResponse};
pub use responses::{ResponseRow, Responses, response_row};
pub use visibility::{AnswerRef, PromptAnswers, Visibility, VisibilityCell, VisibilityCellRef};

pub(crate) use citations::DecodedCitations;
pub(crate) use fanouts::{DecodedFanouts, spelling};
