//! `GET /entities/prompts`

use std::collections::BTreeMap;

use analytics_core::{AnalyticsState, Filters, Scope};
use api::{ApiError, ApiRequest, ApiResponse, parse_id};
use domain::facts::questions::{PromptMentions, prompt_mentions};
use domain::id::{EntityId, PromptId};
use domain::prompt::Prompt;
use serde::Serialize;
use store::{Store, Tenant};

use crate::view::{PromptListView, PromptStatsView};

#[derive(Serialize)]
struct ListPromptsResponse<'a> {
    data: Vec<PromptWithStatsView<'a>>,
}

#[derive(Serialize)]
struct PromptWithStatsView<'a> {
    #[serde(flatten)]
    prompt: PromptListView<'a>,
    stats: PromptStatsView,
}

/// What the period's facts say of each prompt, by ordinal.
#[derive(Default)]
struct PromptCounts {
    mentions: BTreeMap<u32, PromptMentions>,
    citations: Vec<u64>,
}

/// The entity's prompts by creation, paused ones included; `promptIds` and `tags` choose among them, `models`
/// which responses count in their stats.
pub(crate) async fn list(request: ApiRequest<AnalyticsState>) -> Result<ApiResponse, ApiError> {
    let entity = request.required("entityId")?;
    let range = request.query.range(request.state.api.clock.now().day())?;
    let (ids, tags) = (request.query.list("promptIds"), request.query.list("tags"));
    // Prompts and their stats stay per tracking, also under a group.
    let filters = Filters::read(&request.query)?.alone();
    let id: EntityId = parse_id(entity, "Entity")?;
    let at = (&request.state.api.store, &request.tenant);
    let (scope, prompts) = tokio::try_join!(Scope::read(at.0, at.1, &id, &range, &filters), async {
        Ok(at.0.tagged_prompts(at.1, &id).await?)
    })?;
    // Ids of impossible form and those of other entities match nothing.
    let numbers = ids.map(|ids| -> Vec<u32> {
        let ids = ids.iter().filter_map(|id| id.parse::<PromptId>().ok());
        ids.filter(|prompt| prompt.entity == id)
            .map(|prompt| prompt.ordinal)
            .collect()
    });
    let is_wanted = |prompt: &&Prompt| {
        !prompt.is_deleted
            && numbers
                .as_ref()
                .is_none_or(|numbers| numbers.contains(&prompt.ordinal))
            && tags
                .as_ref()
                .is_none_or(|tags| prompt.tags.iter().any(|tag| tags.contains(&tag.as_str())))
    };
    let counted = count(&request.state, at, &scope, &prompts).await?;
    let Some(tracking) = scope.trackings.first() else {
        return Err(ApiError::not_found("Entity"));
    };
    let row = |prompt| PromptWithStatsView {
        prompt: PromptListView::new(&tracking.entity, prompt),
        stats: counted.stats(prompt.ordinal),
    };
    ApiResponse::of(&ListPromptsResponse {
        data: prompts.iter().filter(is_wanted).map(row).collect(),
    })
}

async fn count(
    state: &AnalyticsState,
    at: (&Store, &Tenant),
    scope: &Scope,
    prompts: &[Prompt],
) -> Result<PromptCounts, ApiError> {
    let last = prompts
        .iter()
        .map(|prompt| prompt.ordinal)
        .max()
        .unwrap_or_default();
    let length = usize::try_from(last).unwrap_or_default() + 1;
    let (mentions, citations) = tokio::try_join!(
        state.facts.visibility(at, &scope.trackings, |held| {
            let segments = held.iter().map(|held| (held.segment, held.selection));
            prompt_mentions(segments, &scope.brands)
        }),
        state.facts.citations(at, &scope.trackings, &[], |texts, held| {
            let own = scope
                .own_domains()
                .into_iter()
                .filter_map(|domain| texts.find(domain));
            let (own, mut counts): (Vec<u32>, Vec<u64>) = (own.collect(), vec![0; length]);
            for held in held {
                held.segment.count_by_prompt(held.selection, &own, &mut counts);
            }
            counts
        })
    )?;
    Ok(PromptCounts { mentions, citations })
}

impl PromptCounts {
    fn stats(&self, ordinal: u32) -> PromptStatsView {
        let mentions = self.mentions.get(&ordinal).copied().unwrap_or_default();
        let citations = usize::try_from(ordinal)
            .ok()
            .and_then(|place| self.citations.get(place));
        PromptStatsView::new(&mentions, citations.copied().unwrap_or_default())
    }
}
