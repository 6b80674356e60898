//! `GET /responses/details`

use std::collections::BTreeMap;

use api::prompts::PromptView;
use api::{ApiError, ApiRequest, ApiResponse};
use domain::answer::{CitationKind, ResponseState as Ending};
use domain::brand::{Brand, uuid_of_domain};
use domain::check::{NotMentioned, Response};
use domain::citation::CanonicalUrl;
use domain::entity::Entity;
use domain::group::{BrandLabel, TrackedBrands, group_effect};
use domain::id::{EntityId, PromptId, ResponseId};
use domain::locale::{Geolocation, Language};
use domain::ordinal::BrandOrdinal;
use domain::ordinal_set::OrdinalSet;
use domain::time::Timestamp;
use facts::figures::mention_position;
use mentions::RejectionReason;
use serde::Serialize;
use uuid::Uuid;

use crate::{AnalyticsState, tracked_brands};

#[derive(Serialize, schemars::JsonSchema)]
pub struct ResponseDetailsResponse {
    /// The response with everything that was found in it.
    data: ResponseDetailsView,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "ResponseDetails")]
#[serde(rename_all = "camelCase")]
struct ResponseDetailsView {
    /// The response itself.
    response: ResponseView,
    /// The prompt that was asked, as it is now. Null if it no longer exists.
    #[schemars(extend("x-extension" = true))]
    prompt: Option<AskedPromptView>,
    /// The brands that the answer names, in the order of first mention.
    mentions: Vec<MentionView>,
    /// The brands whose names occur only in ways that do not count.
    not_mentioned: Vec<NotMentionedView>,
    /// The pages that the answer cites, each once.
    citations: Vec<CitationView>,
    /// The web searches that were run for the answer, in their order.
    query_fanouts: Vec<QueryFanoutView>,
    /// How many there are.
    summary: ResponseCountsView,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "AskedPrompt")]
struct AskedPromptView {
    /// The prompt's id.
    id: PromptId,
    /// The prompt's text.
    text: String,
    /// The prompt's own language, or else the entity's: ISO 639-1, with a region if one was given.
    language: Language,
    /// The prompt's own geolocation, or else the entity's: `global` or ISO 3166-1 alpha-2 in lower case.
    geolocation: Geolocation,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "RecordedResponse")]
#[serde(rename_all = "camelCase")]
struct ResponseView {
    /// The response's id.
    response_id: ResponseId,
    /// Markdown as the provider sent it, without what is in `narration`. Empty if there is no answer.
    #[schemars(length(min = 0))]
    response_text: String,
    /// What the model said beside the answer: what it was going to do, and what it thought. It mentions no
    /// brand and cites nothing.
    #[schemars(extend("x-extension" = true))]
    narration: Vec<String>,
    /// The length of the text in characters.
    response_length: usize,
    /// When the question was answered, in Unix milliseconds.
    created_at: Timestamp,
    /// The UUID of the model that was asked.
    #[schemars(with = "Uuid")]
    model_id: Option<Uuid>,
    /// The version of the model, as the provider reports it. Null if it does not.
    #[schemars(extend("x-extension" = true))]
    model_version: Option<String>,
    /// The state of the response. Only answered responses count in figures.
    state: Ending,
    /// Why there is no answer. Null if there is one.
    reason: Option<String>,
    /// Whether the answer was cut off.
    truncated: bool,
    /// Whether the answer mentions the brand.
    is_mentioned: bool,
    /// The brand's position among the brands that the answer names. Null if it is not named.
    #[schemars(with = "Option<domain::schema::Rank>")]
    mention_position: Option<u64>,
    /// The number of brands that the answer names.
    total_options_in_list: usize,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "Mention")]
#[serde(rename_all = "camelCase")]
struct MentionView {
    /// The brand's UUID.
    entity_uuid: Uuid,
    /// The brand's oldest tracking in this workspace. Null if there is none.
    entity_id: Option<EntityId>,
    /// The display name.
    entity_name: String,
    /// The registrable domain. Null for an individual without one.
    entity_domain: Option<String>,
    /// The position by first mention.
    #[schemars(with = "domain::schema::Rank")]
    position: usize,
    /// Whether the brand is the entity itself, with its domain group.
    is_current_entity: bool,
}

/// A brand whose name occurs in the text in a way that does not count as a mention.
#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "NotMentioned")]
#[serde(rename_all = "camelCase")]
struct NotMentionedView {
    /// The brand's UUID.
    entity_uuid: Uuid,
    /// The brand's oldest tracking in this workspace. Null if there is none.
    entity_id: Option<EntityId>,
    /// The display name.
    entity_name: String,
    /// Why the name does not count.
    reason: RejectionReason,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "ResponseCitation")]
#[serde(rename_all = "camelCase")]
struct CitationView {
    /// The URL in its canonical form.
    #[schemars(regex(pattern = "^https://"))]
    url: String,
    /// The page's title. Null if the provider does not tell.
    title: Option<String>,
    /// The cited brand's UUID.
    entity_uuid: Uuid,
    /// How the answer cites the page.
    #[schemars(extend("x-extension" = true))]
    kind: CitationKind,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "ResponseQueryFanout")]
#[serde(rename_all = "camelCase")]
struct QueryFanoutView {
    /// The text of the web search.
    query: String,
    /// When the question was answered, in Unix milliseconds.
    #[schemars(extend("x-extension" = true))]
    created_at: Timestamp,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "ResponseCounts")]
#[serde(rename_all = "camelCase")]
struct ResponseCountsView {
    /// The number of brands in `mentions`.
    mentions_count: usize,
    /// The number of pages in `citations`.
    citations_count: usize,
    /// The number of searches in `queryFanouts`.
    query_fanouts_count: usize,
    /// The number of sources that the provider reports without a page that can be told. They are in no other
    /// figure.
    #[schemars(extend("x-extension" = true))]
    unresolved_citations: u32,
    /// Whether the answer cites more pages than are kept of an answer.
    #[schemars(extend("x-extension" = true))]
    citations_truncated: bool,
}

/// Returns one response with its text and what was found in it.
///
/// Returns 404 if there is no such response, or if its text has expired: texts are kept for 90 days by
/// default.
pub(crate) async fn get(request: ApiRequest<AnalyticsState>) -> Result<ApiResponse, ApiError> {
    let id: ResponseId = request.id("responseId")?;
    let (store, tenant) = (request.store(), &request.tenant);
    let prompt = [id.prompt];
    let (entity, found, prompt, groups, known_brands, tracked) = tokio::try_join!(
        store.entity(tenant, &id.entity),
        store.response(tenant, &id),
        store.prompts_by_ordinal(tenant, &id.entity, &prompt),
        store.groups(tenant),
        store.brands(tenant),
        tracked_brands(store, tenant, &request.key_scope),
    )?;
    let unknown = || ApiError::not_found("Response");
    let (entity, found) = (entity.ok_or_else(unknown)?, found.ok_or_else(unknown)?);
    let brands = BrandViews {
        own: group_effect(&entity, &groups, &known_brands).brands,
        by_ordinal: known_brands
            .values()
            .map(|brand| (brand.ordinal, brand))
            .collect(),
        tracked: &tracked,
    };
    let prompt = prompt
        .first()
        .map(|prompt| AskedPromptView::from(PromptView::new(&entity, prompt)));
    let data = ResponseDetailsView::new(id, found, &entity, prompt, &brands);
    ApiResponse::from_fields(&ResponseDetailsResponse { data })
}

impl From<PromptView> for AskedPromptView {
    fn from(prompt: PromptView) -> Self {
        Self {
            id: prompt.id,
            text: prompt.prompt,
            language: prompt.language,
            geolocation: prompt.geolocation,
        }
    }
}

impl ResponseDetailsView {
    fn new(
        id: ResponseId,
        found: Response,
        entity: &Entity,
        prompt: Option<AskedPromptView>,
        brands: &BrandViews<'_>,
    ) -> Self {
        let answered = found.state == Ending::Answered;
        let mentioned = if answered { found.brands.as_slice() } else { &[] };
        let queries = if answered { found.queries.as_slice() } else { &[] };
        let citations = if answered { citations(&found) } else { Vec::new() };
        let mentions: Vec<MentionView> = (1..)
            .zip(mentioned)
            .filter_map(|(position, ordinal)| brands.mention(position, *ordinal))
            .collect();
        let mention_position = mention_position(mentioned, &brands.own);
        Self {
            summary: ResponseCountsView {
                mentions_count: mentions.len(),
                citations_count: citations.len(),
                query_fanouts_count: queries.len(),
                unresolved_citations: if answered { found.unresolved_citations } else { 0 },
                citations_truncated: answered && found.citations_truncated,
            },
            response: ResponseView {
                model_id: entity.model_ordinals.get(id.model.index()).copied(),
                model_version: found.usage.model_version,
                response_id: id,
                response_length: found.text.chars().count(),
                created_at: found.answered_at,
                state: found.state,
                reason: found.reason,
                truncated: found.truncated,
                is_mentioned: mention_position.is_some(),
                mention_position,
                total_options_in_list: mentioned.len(),
                response_text: found.text,
                narration: found.narration,
            },
            prompt,
            mentions,
            not_mentioned: found
                .not_mentioned
                .iter()
                .filter_map(|rejected| brands.not_mentioned(rejected))
                .collect(),
            citations,
            query_fanouts: queries
                .iter()
                .map(|query| QueryFanoutView {
                    query: query.clone(),
                    created_at: found.answered_at,
                })
                .collect(),
        }
    }
}

/// The brands of the workspace, and their names.
struct BrandViews<'a> {
    /// The brands that count as the entity of the response.
    own: OrdinalSet<BrandOrdinal>,
    by_ordinal: BTreeMap<BrandOrdinal, &'a Brand>,
    tracked: &'a TrackedBrands,
}

impl BrandViews<'_> {
    fn label(&self, brand: &Brand) -> BrandLabel {
        BrandLabel::of(self.tracked, brand.uuid, brand.domain.as_deref())
    }

    /// Returns a mention. Positions start at 1. Returns `None` if the workspace no longer has the brand.
    fn mention(&self, position: usize, ordinal: BrandOrdinal) -> Option<MentionView> {
        let brand = self.by_ordinal.get(&ordinal)?;
        let label = self.label(brand);
        Some(MentionView {
            entity_uuid: label.uuid,
            entity_id: label.entity_id,
            entity_name: label.name,
            entity_domain: brand.domain.clone(),
            position,
            is_current_entity: self.own.contains(ordinal),
        })
    }

    fn not_mentioned(&self, rejected: &NotMentioned) -> Option<NotMentionedView> {
        let label = self.label(self.by_ordinal.get(&rejected.brand)?);
        Some(NotMentionedView {
            entity_uuid: label.uuid,
            entity_id: label.entity_id,
            entity_name: label.name,
            reason: rejected.reason,
        })
    }
}

/// Returns the cited URLs in canonical form, each once, with its first title.
fn citations(found: &Response) -> Vec<CitationView> {
    let mut views: Vec<CitationView> = Vec::new();
    for cited in &found.citations {
        let Some(url) = CanonicalUrl::parse(&cited.url) else {
            continue;
        };
        match views.iter_mut().find(|known| known.url == url.as_str()) {
            Some(known) => {
                known.title = known.title.take().or_else(|| cited.title.clone());
                if cited.kind == CitationKind::Reported {
                    known.kind = cited.kind;
                }
            }
            None => views.push(CitationView {
                entity_uuid: uuid_of_domain(url.registrable()),
                url: url.as_str().to_owned(),
                title: cited.title.clone(),
                kind: cited.kind,
            }),
        }
    }
    views
}
