//! `GET /entities/prompts`

use std::collections::BTreeMap;

use analytics::{AnalyticsRequest, AnalyticsState, Scope};
use api::{ApiError, ApiRequest, ApiResponse, Columns};
use domain::ordinal::PromptOrdinal;
use domain::page::{Page, Pagination};
use domain::prompt::Prompt;
use facts::figures::{PromptMentions, prompt_mentions};
use serde::Serialize;

use crate::view::{PromptListView, PromptStatsView};

#[derive(Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListPromptsResponse<'a> {
    /// The prompts.
    data: Vec<PromptWithStatsView<'a>>,
    /// The page of the prompts. Only present if the request has a `limit`.
    #[schemars(with = "Pagination", extend("x-extension" = true))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pagination: Option<Pagination>,
    /// The first day of the period from which on all answers were read for the same names. Mentions of
    /// earlier days can lack names that were added since and whose answers have no text any more. Null if
    /// there is no such day.
    #[schemars(with = "Option<domain::schema::IsoDay>", extend("x-extension" = true))]
    counted_since: Option<String>,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "ListedPrompt")]
struct PromptWithStatsView<'a> {
    #[serde(flatten)]
    prompt: PromptListView<'a>,
    /// The prompt's figures in the period.
    stats: PromptStatsView,
}

/// The counts of each prompt in the requested days.
#[derive(Default)]
struct PromptCounts {
    mentions: BTreeMap<PromptOrdinal, PromptMentions>,
    /// The citations of the entity's own domains, by the ordinal of the prompt.
    citations: Vec<u64>,
}

/// The columns of the table.
pub(crate) const COLUMNS: Columns = &[
    "id",
    "prompt",
    "language",
    "geolocation",
    "createdAt",
    "isActive",
    "tags",
    "stats.responses",
    "stats.mentions",
    "stats.visibilityScore",
    "stats.intervalLow",
    "stats.intervalHigh",
    "stats.averagePosition",
    "stats.citations",
];

/// Returns the entity's prompts in the order of their creation, including paused ones, with their figures of
/// the range.
///
/// `promptIds` and `tags` select prompts, and `models` the responses that count. Only the entity's own
/// responses count, even if it is in a domain group. With `limit`, the response has one page. Returns 404 if
/// the entity does not exist.
pub(crate) async fn list(request: ApiRequest<AnalyticsState>) -> Result<ApiResponse, ApiError> {
    let analytics = AnalyticsRequest::parse(&request)?.without_group();
    let page = request.page_if_limited()?;
    let id = analytics.entity_id()?;
    let store = request.store();
    let (scope, prompts) = tokio::try_join!(analytics.load_scope(), async {
        Ok(store.tagged_prompts(&request.tenant, &id).await?)
    })?;
    let counts = PromptCounts::load(&scope, &prompts).await?;
    let selection = scope
        .entities
        .first()
        .and_then(|counted| counted.selection.prompts.as_ref());
    let is_selected = |prompt: &&Prompt| {
        !prompt.is_deleted && selection.is_none_or(|selected| selected.contains(prompt.ordinal))
    };
    let view = |prompt| PromptWithStatsView {
        prompt: PromptListView::new(&scope.entity, prompt),
        stats: counts.stats(prompt.ordinal),
    };
    let selected: Vec<&Prompt> = prompts.iter().filter(is_selected).collect();
    let total = selected.len();
    let rows = page.unwrap_or(Page::ALL).select_rows(selected);
    ApiResponse::from_fields(&ListPromptsResponse {
        data: rows.into_iter().map(view).collect(),
        pagination: page.map(|page| page.pagination(total)),
        counted_since: scope.counted_since().map(|day| day.to_string()),
    })
}

impl PromptCounts {
    async fn load(scope: &Scope<'_>, prompts: &[Prompt]) -> Result<Self, ApiError> {
        let ends = prompts.iter().map(|prompt| prompt.ordinal.index() + 1);
        let own_domains = scope.own_domains();
        // A response cites each URL once, so that the cited URLs of a domain are its citations.
        let (visibility, links) =
            tokio::try_join!(scope.facts().visibility(), scope.facts().links(&own_domains))?;
        let mut citations = vec![0; ends.max().unwrap_or(1)];
        for of in &links.segments {
            of.segment.count_by_prompt(of.selection, &mut citations);
        }
        Ok(Self {
            mentions: prompt_mentions(visibility.selected(), &scope.brands),
            citations,
        })
    }

    fn stats(&self, prompt: PromptOrdinal) -> PromptStatsView {
        let none = PromptMentions::default();
        let citations = self.citations.get(prompt.index());
        let mentions = self.mentions.get(&prompt).unwrap_or(&none);
        PromptStatsView::new(mentions, citations.map_or(0, |citations| *citations))
    }
}
