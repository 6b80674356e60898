//! `GET /responses/details`

use std::collections::BTreeMap;

use analytics_core::{AnalyticsState, trackings};
use api::{ApiError, ApiRequest, ApiResponse, parse_id};
use domain::answer::State as Ending;
use domain::brand::{Brand, of_domain};
use domain::check::Response;
use domain::citation::CanonicalUrl;
use domain::facts::questions::mention_position;
use domain::group::{Named, merged};
use domain::id::{EntityId, ResponseId};
use domain::time::Timestamp;
use mentions::RejectionReason;
use serde::Serialize;
use uuid::Uuid;

#[derive(Serialize)]
struct ResponseDetailsResponse {
    data: ResponseDetailsView,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResponseDetailsView {
    response: ResponseView,
    mentions: Vec<MentionView>,
    not_mentioned: Vec<NotMentionedView>,
    citations: Vec<CitationView>,
    query_fanouts: Vec<QueryFanoutView>,
    summary: ResponseCountsView,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResponseView {
    response_id: ResponseId,
    response_text: String,
    /// In characters.
    response_length: usize,
    created_at: Timestamp,
    model_id: Option<Uuid>,
    state: Ending,
    /// Why there is no answer.
    reason: Option<String>,
    truncated: bool,
    is_mentioned: bool,
    mention_position: Option<u64>,
    /// Brands that the answer names.
    total_options_in_list: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MentionView {
    entity_uuid: Uuid,
    entity_id: Option<EntityId>,
    entity_name: String,
    entity_domain: Option<String>,
    position: usize,
    is_current_entity: bool,
}

/// A brand whose name occurs in a way that does not count.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct NotMentionedView {
    entity_uuid: Uuid,
    entity_id: Option<EntityId>,
    entity_name: String,
    reason: RejectionReason,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CitationView {
    url: String,
    title: Option<String>,
    entity_uuid: Uuid,
}

#[derive(Serialize)]
struct QueryFanoutView {
    query: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResponseCountsView {
    mentions_count: usize,
    citations_count: usize,
    query_fanouts_count: usize,
}

/// One answer with what was found in it. The text is kept for 90 days; after that it is 404.
pub(crate) async fn get(request: ApiRequest<AnalyticsState>) -> Result<ApiResponse, ApiError> {
    let id: ResponseId = parse_id(request.required("responseId")?, "Response")?;
    let (store, tenant) = (&request.state.api.store, &request.tenant);
    let (slot, cell) = ((id.day, id.check), (id.prompt, id.model));
    let (entity, found, groups, known, trackings) = tokio::try_join!(
        store.entity(tenant, &id.entity),
        store.response(tenant, &id.entity, slot, cell),
        store.groups(tenant),
        store.brands(tenant),
        trackings(store, tenant),
    )?;
    let unknown = || ApiError::not_found("Response");
    let (entity, found) = (entity.ok_or_else(unknown)?, found.ok_or_else(unknown)?);
    let own = merged(&entity, &groups, &known).brands;
    let answered = found.state == Ending::Answered;
    let brands = if answered { found.brands.as_slice() } else { &[] };
    let by_ordinal: BTreeMap<u32, &Brand> = known.values().map(|brand| (brand.ordinal, brand)).collect();
    let named = |ordinal: u32| {
        let brand = by_ordinal.get(&ordinal)?;
        let named = Named::of(&trackings, brand.uuid, brand.domain.as_deref());
        Some((named, brand.domain.clone()))
    };
    let mention = |(place, ordinal): (usize, &u32)| {
        let (named, entity_domain) = named(*ordinal)?;
        Some(MentionView {
            entity_uuid: named.uuid,
            entity_id: named.entity_id,
            entity_name: named.name,
            entity_domain,
            position: place + 1,
            is_current_entity: own.contains(*ordinal),
        })
    };
    let mentions: Vec<MentionView> = brands.iter().enumerate().filter_map(mention).collect();
    let not_mention = |rejected: domain::check::NotMentioned| {
        let (named, _) = named(rejected.brand)?;
        Some(NotMentionedView {
            entity_uuid: named.uuid,
            entity_id: named.entity_id,
            entity_name: named.name,
            reason: rejected.reason,
        })
    };
    let citations = if answered { citations(&found) } else { Vec::new() };
    let queries = if answered { found.queries.as_slice() } else { &[] };
    let mentioned = mention_position(brands, &own);
    let model = usize::try_from(id.model).ok();
    ApiResponse::of(&ResponseDetailsResponse {
        data: ResponseDetailsView {
            summary: ResponseCountsView {
                mentions_count: mentions.len(),
                citations_count: citations.len(),
                query_fanouts_count: queries.len(),
            },
            response: ResponseView {
                response_id: id,
                response_length: found.text.chars().count(),
                created_at: found.answered_at,
                model_id: model.and_then(|model| entity.model_ordinals.get(model)).copied(),
                state: found.state,
                reason: found.reason,
                truncated: found.truncated,
                is_mentioned: mentioned.is_some(),
                mention_position: mentioned,
                total_options_in_list: brands.len(),
                response_text: found.text,
            },
            mentions,
            not_mentioned: found.not_mentioned.into_iter().filter_map(not_mention).collect(),
            citations,
            query_fanouts: queries
                .iter()
                .map(|query| QueryFanoutView { query: query.clone() })
                .collect(),
        },
    })
}

/// Each canonical URL once, with the first title that it was given.
fn citations(found: &Response) -> Vec<CitationView> {
    let mut shown: Vec<CitationView> = Vec::new();
    for cited in &found.citations {
        let Some(url) = CanonicalUrl::parse(&cited.url) else {
            continue;
        };
        match shown.iter_mut().find(|known| known.url == url.as_str()) {
            Some(known) => known.title = known.title.take().or_else(|| cited.title.clone()),
            None => shown.push(CitationView {
                entity_uuid: of_domain(url.registrable()),
                url: url.as_str().to_owned(),
                title: cited.title.clone(),
            }),
        }
    }
    shown
}
