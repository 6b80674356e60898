//! The prompts in this function's responses.

use api::prompts::PromptView;
use domain::entity::Entity;
use domain::id::TagId;
use domain::prompt::Prompt;
use domain::time::Timestamp;
use facts::figures::PromptMentions;
use serde::Serialize;

/// A prompt as the answer to a single update shows it.
#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "DatedPrompt")]
#[serde(rename_all = "camelCase")]
pub(crate) struct DatedPromptView {
    #[serde(flatten)]
    prompt: PromptView,
    /// When the prompt was added, in Unix milliseconds.
    created_at: Timestamp,
}

/// A prompt as lists show it.
#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "ChangedPrompt")]
#[serde(rename_all = "camelCase")]
pub(crate) struct PromptListView<'a> {
    #[serde(flatten)]
    prompt: DatedPromptView,
    /// Whether the prompt is asked. The answers of a paused prompt are kept.
    is_active: bool,
    /// The ids of its tags.
    #[schemars(extend("x-extension" = true))]
    tags: &'a [TagId],
}

impl DatedPromptView {
    pub(crate) fn new(entity: &Entity, prompt: &Prompt) -> Self {
        Self {
            prompt: PromptView::new(entity, prompt),
            created_at: prompt.created_at,
        }
    }
}

impl<'a> PromptListView<'a> {
    pub(crate) fn new(entity: &Entity, prompt: &'a Prompt) -> Self {
        Self {
            prompt: DatedPromptView::new(entity, prompt),
            is_active: prompt.is_active,
            tags: &prompt.tags,
        }
    }
}

/// The figures of the answers of a period.
#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "PromptStats")]
#[serde(rename_all = "camelCase")]
pub(crate) struct PromptStatsView {
    /// The number of answered responses.
    responses: u64,
    /// How many of the responses mention the entity.
    mentions: u64,
    /// 100 × mentions / responses, with two decimals. Null without responses.
    #[schemars(with = "Option<domain::schema::Percentage>")]
    visibility_score: Option<f64>,
    /// The low and the high end of the score's Wilson interval at 95 %, with two decimals. Null without
    /// responses.
    #[schemars(with = "Option<domain::schema::Interval>")]
    interval: Option<[f64; 2]>,
    /// The entity's average position among the brands that an answer names, with two decimals. Null without
    /// mentions.
    #[schemars(range(min = 1))]
    average_position: Option<f64>,
    /// The number of citations of the entity's own domains.
    citations: u64,
}

impl PromptStatsView {
    pub(crate) fn new(mentions: &PromptMentions, citations: u64) -> Self {
        Self {
            responses: mentions.share.responses,
            mentions: mentions.share.mentions,
            visibility_score: mentions.share.score(),
            interval: mentions.share.interval(),
            average_position: mentions.average_position(),
            citations,
        }
    }
}
