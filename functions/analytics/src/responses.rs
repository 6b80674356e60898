//! `GET /responses`

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

use analytics_core::{AnalyticsState, CachedSegment, CountedEntity, Filters, Scope};
use api::{ApiError, ApiRequest, ApiResponse, parse_id};
use domain::answer::State as Ending;
use domain::facts::OrdinalSet;
use domain::facts::families::Visibility;
use domain::facts::families::{ResponseRow, Responses};
use domain::facts::questions::mention_position;
use domain::id::{EntityId, PromptId, ResponseId};
use domain::page::{Page, Pagination};
use domain::prompt::Prompt;
use domain::time::{Day, Timestamp};
use futures::future::try_join_all;
use serde::Serialize;
use store::{Store, StoreError, Tenant};
use uuid::Uuid;

#[derive(Serialize)]
struct ResponsesResponse {
    data: Vec<ResponseView>,
    pagination: Pagination,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResponseView {
    response_id: ResponseId,
    prompt_id: PromptId,
    prompt: Option<String>,
    model_id: Option<Uuid>,
    state: Ending,
    searched: Option<bool>,
    truncated: bool,
    created_at: Timestamp,
    is_mentioned: bool,
    mention_position: Option<u64>,
    citations_count: u32,
    query_fanouts_count: u32,
}

/// A response of the page: whose, of which check.
struct FoundResponse {
    place: usize,
    day: Day,
    check: u32,
    row: ResponseRow,
}

/// What the visibility facts say of a response.
type Outcome = (Ending, Option<u64>);
type Cell = (usize, Day, u32, u32, u32);

/// The responses themselves, the latest first.
pub(crate) async fn list(request: ApiRequest<AnalyticsState>) -> Result<ApiResponse, ApiError> {
    let entity = request.required("entityId")?;
    let range = request.query.range(request.state.api.clock.now().day())?;
    let (page, filters) = (request.query.page()?, Filters::read(&request.query)?);
    let id: EntityId = parse_id(entity, "Entity")?;
    let at = (&request.state.api.store, &request.tenant);
    let scope = Scope::read(at.0, at.1, &id, &range, &filters).await?;
    let (facts, trackings) = (&request.state.facts, &scope.trackings);
    // All side by side: which prompts and which outcomes the page needs shows only in the responses.
    let ((found, total), (), texts) = tokio::try_join!(
        facts.responses(at, trackings, |held| latest(held, page)),
        facts.visibility(at, trackings, |_| ()),
        async { Ok(texts(at.0, at.1, trackings).await?) }
    )?;
    let wanted: HashSet<Cell> = found.iter().map(cell).collect();
    let outcomes = facts.visibility(at, trackings, |held| outcomes(held, &scope.brands, &wanted));
    let outcomes = outcomes.await?;
    let row = |found: &FoundResponse| row(found, trackings, &outcomes, &texts);
    ApiResponse::of(&ResponsesResponse {
        data: found.iter().filter_map(row).collect(),
        pagination: page.pagination(total),
    })
}

fn outcomes(
    held: &[CachedSegment<'_, Visibility>],
    brands: &OrdinalSet,
    wanted: &HashSet<Cell>,
) -> HashMap<Cell, Outcome> {
    let mut outcomes = HashMap::new();
    for held in held {
        for cell in held.segment.cells() {
            let key = (held.place, held.day, held.check, cell.prompt, cell.model);
            if wanted.contains(&key) {
                outcomes.insert(key, (cell.state, mention_position(cell.brands, brands)));
            }
        }
    }
    outcomes
}

/// The page's responses and how many there are: by the instant of the answer, the latest first, then by check,
/// prompt and model.
fn latest(held: &[CachedSegment<'_, Responses>], page: Page) -> (Vec<FoundResponse>, u64) {
    let mut all: Vec<FoundResponse> = held
        .iter()
        .flat_map(|held| {
            held.segment.selected(held.selection).map(|row| FoundResponse {
                place: held.place,
                day: held.day,
                check: held.check,
                row,
            })
        })
        .collect();
    let total = u64::try_from(all.len()).unwrap_or(u64::MAX);
    let key = |found: &FoundResponse| {
        let row = &found.row;
        (
            Reverse(row.answered_at),
            found.place,
            Reverse(found.check),
            row.prompt,
            row.model,
        )
    };
    let first = usize::try_from(page.offset()).unwrap_or(usize::MAX);
    let end = first.saturating_add(usize::try_from(page.limit()).unwrap_or(usize::MAX));
    // Only the page is sorted: what lies behind it, and then what lies before it, is told apart alone.
    if end < all.len() {
        all.select_nth_unstable_by_key(end, key);
        all.truncate(end);
    }
    if first >= all.len() {
        return (Vec::new(), total);
    }
    if first > 0 {
        all.select_nth_unstable_by_key(first, key);
        all.drain(..first);
    }
    all.sort_unstable_by_key(key);
    (all, total)
}

/// The texts of the trackings' prompts, as they are now.
async fn texts(
    store: &Store,
    tenant: &Tenant,
    trackings: &[CountedEntity],
) -> Result<BTreeMap<(usize, u32), String>, StoreError> {
    let prompts = trackings
        .iter()
        .map(|tracking| store.prompts(tenant, &tracking.entity.id));
    let mut texts = BTreeMap::new();
    for (place, prompts) in try_join_all(prompts).await?.into_iter().enumerate() {
        let text = |prompt: Prompt| ((place, prompt.ordinal), prompt.text.into());
        texts.extend(prompts.into_iter().map(text));
    }
    Ok(texts)
}

fn cell(found: &FoundResponse) -> Cell {
    (
        found.place,
        found.day,
        found.check,
        found.row.prompt,
        found.row.model,
    )
}

fn row(
    found: &FoundResponse,
    trackings: &[CountedEntity],
    outcomes: &HashMap<Cell, Outcome>,
    texts: &BTreeMap<(usize, u32), String>,
) -> Option<ResponseView> {
    let (entity, facts) = (&trackings.get(found.place)?.entity, &found.row);
    let (state, mentioned) = outcomes
        .get(&cell(found))
        .copied()
        .unwrap_or((Ending::Failed, None));
    let mentioned = mentioned.filter(|_| state == Ending::Answered);
    Some(ResponseView {
        response_id: ResponseId {
            entity: entity.id.clone(),
            day: found.day,
            check: found.check,
            prompt: facts.prompt,
            model: facts.model,
        },
        prompt_id: PromptId {
            entity: entity.id.clone(),
            ordinal: facts.prompt,
        },
        prompt: texts.get(&(found.place, facts.prompt)).cloned(),
        model_id: usize::try_from(facts.model)
            .ok()
            .and_then(|model| entity.model_ordinals.get(model))
            .copied(),
        state,
        searched: facts.searched,
        truncated: facts.truncated,
        created_at: facts.answered_at,
        is_mentioned: mentioned.is_some(),
        mention_position: mentioned,
        citations_count: facts.citations,
        query_fanouts_count: facts.fanouts,
    })
}
