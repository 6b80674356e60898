//! `GET /responses`

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

use api::{ApiError, ApiRequest, ApiResponse, Columns};
use domain::answer::ResponseState as Ending;
use domain::check_key::CheckKey;
use domain::entity::Entity;
use domain::id::{PromptId, ResponseId};
use domain::ordinal::{BrandOrdinal, ModelOrdinal, PromptOrdinal};
use domain::ordinal_set::OrdinalSet;
use domain::page::{Page, Pagination};
use domain::prompt::Prompt;
use domain::time::Timestamp;
use facts::families::{ResponseRow, Responses, Visibility};
use facts::figures::mention_position;
use facts::{CountedEntity, SelectedSegment};
use futures::future::try_join_all;
use serde::Serialize;
use store::{Store, StoreError, Tenant};
use uuid::Uuid;

use crate::{AnalyticsRequest, AnalyticsState};

#[derive(Serialize, schemars::JsonSchema)]
pub struct ResponsesResponse {
    /// The page's rows.
    data: Vec<ResponseView>,
    /// Which rows these are.
    pagination: Pagination,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "ListedResponse")]
#[serde(rename_all = "camelCase")]
struct ResponseView {
    /// The response's id.
    response_id: ResponseId,
    /// The prompt's id.
    prompt_id: PromptId,
    /// The prompt's text as it is now.
    #[schemars(with = "String")]
    prompt: Option<String>,
    /// The UUID of the model that was asked.
    #[schemars(with = "Uuid")]
    model_id: Option<Uuid>,
    /// The version of the model, as the provider reports it. Null if it does not.
    #[schemars(extend("x-extension" = true))]
    model_version: Option<String>,
    /// The state of the response. Only answered responses count in figures.
    state: Ending,
    /// Whether the model searched the web. Null if the provider does not tell.
    searched: Option<bool>,
    /// Whether the answer was cut off.
    truncated: bool,
    /// When the question was answered, in Unix milliseconds.
    created_at: Timestamp,
    /// Whether the answer mentions the brand.
    is_mentioned: bool,
    /// The brand's position among the brands that the answer names. Null if it is not named.
    #[schemars(with = "Option<domain::schema::Rank>")]
    mention_position: Option<u64>,
    /// The number of URLs that the answer cites.
    citations_count: u32,
    /// The number of web searches that were run for the answer.
    query_fanouts_count: u32,
}

/// A response of the page, and its check.
struct FoundResponse {
    entity_index: usize,
    check: CheckKey,
    row: ResponseRow,
}

/// The key of a response in a scope.
#[derive(PartialEq, Eq, Hash)]
struct ResponseKey {
    entity_index: usize,
    check: CheckKey,
    prompt: PromptOrdinal,
    model: ModelOrdinal,
}

/// The state and the mention of a response, from the visibility facts.
#[derive(Clone)]
struct Outcome {
    state: Ending,
    /// The position of the entity's first mention, from 1.
    position: Option<u64>,
    model_version: Option<String>,
}

/// The key of a prompt in a scope.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct PromptKey {
    entity_index: usize,
    prompt: PromptOrdinal,
}

/// The columns of the table.
pub(crate) const COLUMNS: Columns = &[
    "responseId",
    "promptId",
    "prompt",
    "modelId",
    "modelVersion",
    "state",
    "searched",
    "truncated",
    "createdAt",
    "isMentioned",
    "mentionPosition",
    "citationsCount",
    "queryFanoutsCount",
];

/// Returns a page of the responses without their texts, the latest first.
pub(crate) async fn list(request: ApiRequest<AnalyticsState>) -> Result<ApiResponse, ApiError> {
    let (analytics, page) = AnalyticsRequest::parse_with_page(&request)?;
    let scope = analytics.load_scope().await?;
    let store = request.store();
    // Which visibility facts and prompts the page needs depends on its responses. To save a round trip, those
    // of all responses are read concurrently.
    let facts = scope.facts();
    let (responses, visibility, prompts) = tokio::try_join!(
        facts.responses(),
        facts.visibility(),
        prompt_texts(store, &request.tenant, &scope.entities),
    )?;
    let (found, total) = latest(&responses.segments, page);
    let keys: HashSet<ResponseKey> = found.iter().map(FoundResponse::key).collect();
    let outcomes = outcomes(&visibility.segments, &scope.brands, &keys);
    let view = |found: &FoundResponse| {
        let entity = &scope.entities.get(found.entity_index)?.entity;
        let prompt = prompts.get(&found.prompt_key()).cloned();
        Some(ResponseView::new(
            found,
            entity,
            prompt,
            outcomes.get(&found.key()),
        ))
    };
    ApiResponse::from_fields(&ResponsesResponse {
        data: found.iter().filter_map(view).collect(),
        pagination: page.pagination(total),
    })
}

/// Returns the page's responses, and the number of all responses. They are ordered by the instant of the
/// answer, the latest first, then by entity, check, prompt and model.
fn latest(segments: &[SelectedSegment<'_, Responses>], page: Page) -> (Vec<FoundResponse>, usize) {
    let found = |of: &SelectedSegment<'_, Responses>, row| FoundResponse {
        entity_index: of.entity_index,
        check: of.check,
        row,
    };
    let mut all: Vec<FoundResponse> = segments
        .iter()
        .flat_map(|of| {
            let rows = of.segment.selected(of.selection);
            rows.map(move |row| found(of, row))
        })
        .collect();
    let total = all.len();
    let order = |found: &FoundResponse| {
        let row = &found.row;
        (
            Reverse(row.answered_at),
            found.entity_index,
            Reverse(found.check.check),
            row.prompt,
            row.model,
        )
    };
    let first = page.offset();
    let end = first.saturating_add(page.limit());
    // Only the page is sorted. The responses before and after it are only partitioned.
    if end < all.len() {
        all.select_nth_unstable_by_key(end, order);
        all.truncate(end);
    }
    if first >= all.len() {
        return (Vec::new(), total);
    }
    if first > 0 {
        all.select_nth_unstable_by_key(first, order);
        all.drain(..first);
    }
    all.sort_unstable_by_key(order);
    (all, total)
}

/// Returns the outcomes of the responses in `keys`. `brands` are those whose mentions count.
fn outcomes(
    segments: &[SelectedSegment<'_, Visibility>],
    brands: &OrdinalSet<BrandOrdinal>,
    keys: &HashSet<ResponseKey>,
) -> HashMap<ResponseKey, Outcome> {
    let mut outcomes = HashMap::new();
    for of in segments {
        for cell in of.segment.cells() {
            let key = ResponseKey {
                entity_index: of.entity_index,
                check: of.check,
                prompt: cell.prompt,
                model: cell.model,
            };
            if keys.contains(&key) {
                let outcome = Outcome {
                    state: cell.state,
                    position: mention_position(cell.brands, brands),
                    model_version: cell.model_version.map(str::to_owned),
                };
                outcomes.insert(key, outcome);
            }
        }
    }
    outcomes
}

/// Reads the current texts of the prompts of all entities, including deleted prompts.
async fn prompt_texts(
    store: &Store,
    tenant: &Tenant,
    entities: &[CountedEntity],
) -> Result<BTreeMap<PromptKey, String>, StoreError> {
    let prompts = entities
        .iter()
        .map(|counted| store.prompts(tenant, &counted.entity.id));
    let mut texts = BTreeMap::new();
    for (entity_index, prompts) in try_join_all(prompts).await?.into_iter().enumerate() {
        let text = |prompt: Prompt| {
            let key = PromptKey {
                entity_index,
                prompt: prompt.ordinal,
            };
            (key, prompt.text.into())
        };
        texts.extend(prompts.into_iter().map(text));
    }
    Ok(texts)
}

impl FoundResponse {
    fn key(&self) -> ResponseKey {
        ResponseKey {
            entity_index: self.entity_index,
            check: self.check,
            prompt: self.row.prompt,
            model: self.row.model,
        }
    }

    fn prompt_key(&self) -> PromptKey {
        PromptKey {
            entity_index: self.entity_index,
            prompt: self.row.prompt,
        }
    }
}

impl ResponseView {
    fn new(
        found: &FoundResponse,
        entity: &Entity,
        prompt: Option<String>,
        outcome: Option<&Outcome>,
    ) -> Self {
        let facts = &found.row;
        let state = outcome.map_or(Ending::Failed, |outcome| outcome.state);
        let mention_position = outcome
            .filter(|_| state == Ending::Answered)
            .and_then(|outcome| outcome.position);
        Self {
            response_id: ResponseId {
                entity: entity.id,
                day: found.check.day,
                check: found.check.check,
                prompt: facts.prompt,
                model: facts.model,
            },
            prompt_id: PromptId {
                entity: entity.id,
                ordinal: facts.prompt,
            },
            prompt,
            model_id: entity.model_ordinals.get(facts.model.index()).copied(),
            model_version: outcome.and_then(|outcome| outcome.model_version.clone()),
            state,
            searched: facts.searched,
            truncated: facts.truncated,
            created_at: facts.answered_at,
            is_mentioned: mention_position.is_some(),
            mention_position,
            citations_count: facts.citations,
            query_fanouts_count: facts.fanouts,
        }
    }
}
