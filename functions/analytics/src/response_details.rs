//! `GET /responses/details`

use std::collections::BTreeMap;

use analytics_core::{AnalyticsState, entities_by_brand};
use api::{ApiError, ApiRequest, ApiResponse, parse_id};
use domain::answer::State as Ending;
use domain::brand::{Brand, BrandUuid, of_domain};
use domain::check::{NotMentioned, Response};
use domain::citation::CanonicalUrl;
use domain::entity::Entity;
use domain::facts::OrdinalSet;
use domain::facts::questions::mention_position;
use domain::group::{BrandLabel, group_effect};
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
    /// Why there is no answer; `None` if there is one.
    reason: Option<String>,
    truncated: bool,
    is_mentioned: bool,
    mention_position: Option<u64>,
    /// The number of brands that the answer mentions.
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

/// A brand whose name occurs in the text in a way that does not count as a mention.
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

/// Returns one response with its text and what was found in it.
///
/// Returns 404 if there is no such response, or if its text has expired: texts are kept for 90 days by default.
pub(crate) async fn get(request: ApiRequest<AnalyticsState>) -> Result<ApiResponse, ApiError> {
    let id: ResponseId = parse_id(request.query.required_text("responseId")?, "Response")?;
    let (store, tenant) = (&request.state.api.store, &request.tenant);
    let (slot, cell) = ((id.day, id.check), (id.prompt, id.model));
    let (entity, found, groups, known_brands, entities) = tokio::try_join!(
        store.entity(tenant, &id.entity),
        store.response(tenant, &id.entity, slot, cell),
        store.groups(tenant),
        store.brands(tenant),
        entities_by_brand(store, tenant),
    )?;
    let unknown = || ApiError::not_found("Response");
    let (entity, found) = (entity.ok_or_else(unknown)?, found.ok_or_else(unknown)?);
    let brands = BrandViews {
        own: group_effect(&entity, &groups, &known_brands).brands,
        by_ordinal: known_brands
            .values()
            .map(|brand| (brand.ordinal, brand))
            .collect(),
        entities: &entities,
    };
    let data = ResponseDetailsView::new(id, found, &entity, &brands);
    ApiResponse::of(&ResponseDetailsResponse { data })
}

impl ResponseDetailsView {
    fn new(id: ResponseId, found: Response, entity: &Entity, brands: &BrandViews<'_>) -> Self {
        let answered = found.state == Ending::Answered;
        let mentioned = if answered { found.brands.as_slice() } else { &[] };
        let queries = if answered { found.queries.as_slice() } else { &[] };
        let citations = if answered { citations(&found) } else { Vec::new() };
        let mentions: Vec<MentionView> = (1..)
            .zip(mentioned)
            .filter_map(|(position, ordinal)| brands.mention(position, *ordinal))
            .collect();
        let mention_position = mention_position(mentioned, &brands.own);
        let model = usize::try_from(id.model).ok();
        Self {
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
                is_mentioned: mention_position.is_some(),
                mention_position,
                total_options_in_list: mentioned.len(),
                response_text: found.text,
            },
            mentions,
            not_mentioned: found
                .not_mentioned
                .iter()
                .filter_map(|rejected| brands.not_mentioned(rejected))
                .collect(),
            citations,
            query_fanouts: queries
                .iter()
                .map(|query| QueryFanoutView { query: query.clone() })
                .collect(),
        }
    }
}

/// The brands that the workspace knows, and their names.
struct BrandViews<'a> {
    /// The brands that count as the entity of the response.
    own: OrdinalSet,
    by_ordinal: BTreeMap<u32, &'a Brand>,
    /// The oldest entity of each brand.
    entities: &'a BTreeMap<BrandUuid, Entity>,
}

impl BrandViews<'_> {
    fn named(&self, brand: &Brand) -> BrandLabel {
        BrandLabel::of(self.entities, brand.uuid, brand.domain.as_deref())
    }

    /// A mention at a position from 1; `None` if the workspace does not know the brand any more.
    fn mention(&self, position: usize, ordinal: u32) -> Option<MentionView> {
        let brand = self.by_ordinal.get(&ordinal)?;
        let named = self.named(brand);
        Some(MentionView {
            entity_uuid: named.uuid,
            entity_id: named.entity_id,
            entity_name: named.name,
            entity_domain: brand.domain.clone(),
            position,
            is_current_entity: self.own.contains(ordinal),
        })
    }

    fn not_mentioned(&self, rejected: &NotMentioned) -> Option<NotMentionedView> {
        let named = self.named(self.by_ordinal.get(&rejected.brand)?);
        Some(NotMentionedView {
            entity_uuid: named.uuid,
            entity_id: named.entity_id,
            entity_name: named.name,
            reason: rejected.reason,
        })
    }
}

/// The cited URLs in canonical form, each once, with the first title that it has.
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
