//! Prompts as this group shows them.

use api::prompts::PromptView;
use domain::entity::Entity;
use domain::facts::questions::PromptMentions;
use domain::id::TagId;
use domain::prompt::Prompt;
use domain::time::Timestamp;
use serde::Serialize;

/// A prompt as the answer to a single update shows it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DatedPromptView {
    #[serde(flatten)]
    prompt: PromptView,
    created_at: Timestamp,
}

/// A prompt as lists show it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PromptListView<'a> {
    #[serde(flatten)]
    prompt: DatedPromptView,
    is_active: bool,
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

/// What the answers of a period come to; `citations` are those of the entity's own domains.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PromptStatsView {
    responses: u64,
    mentions: u64,
    visibility_score: Option<f64>,
    interval: Option<[f64; 2]>,
    average_position: Option<f64>,
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
