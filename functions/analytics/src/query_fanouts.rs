//! `GET /query-fanouts`

use std::collections::BTreeMap;

use api::{ApiError, ApiRequest, ApiResponse, Columns};
use domain::page::FullPagination;
use facts::figures::{FanoutSegment, QueryRow, queries};
use serde::Serialize;
use uuid::Uuid;

use crate::{AnalyticsRequest, AnalyticsState, Scope};

#[derive(Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct QueryFanoutsResponse {
    /// The page's rows.
    data: Vec<QueryFanoutView>,
    /// The number of different searches on all pages.
    total_count: usize,
    /// How often these searches were run.
    total_queries: u64,
    /// Which rows these are.
    pagination: FullPagination,
    /// The days that the response is about. `custom` means that `startDate` or `endDate` was given.
    #[schemars(with = "domain::period_label::PeriodLabel")]
    period: &'static str,
}

#[derive(Serialize, schemars::JsonSchema)]
#[schemars(rename = "QueryFanout")]
#[serde(rename_all = "camelCase")]
struct QueryFanoutView {
    /// The search's most frequent spelling.
    query: String,
    /// How often the search was run.
    frequency: u64,
    /// The number of responses that the search was run for.
    unique_responses: u64,
    /// When the search was last run.
    #[schemars(with = "domain::schema::IsoTimestamp")]
    latest_date: String,
    /// The UUIDs of the models that ran the search.
    model_ids: Vec<Uuid>,
}

/// The columns of the table.
pub(crate) const COLUMNS: Columns = &["query", "frequency", "uniqueResponses", "latestDate", "modelIds"];

/// Returns a page of the web searches that the models ran, the most frequent first.
///
/// `search` restricts the list to searches that contain the text.
pub(crate) async fn list(request: ApiRequest<AnalyticsState>) -> Result<ApiResponse, ApiError> {
    let (analytics, page) = AnalyticsRequest::parse_with_page(&request)?;
    let search = request.query.text("search")?.map(str::trim);
    let search = search.filter(|text| !text.is_empty());
    let scope = analytics.load_scope().await?;
    let models = ModelNumbers::new(&scope);
    let facts = scope.facts().fanouts().await?;
    let fanouts = facts.segments.iter().map(|of| FanoutSegment {
        segment: &of.segment,
        selection: of.selection,
        model_numbers: models.of_entity(of.entity_index),
    });
    let found = queries(&fanouts.collect::<Vec<_>>(), &facts.texts, search, &page);
    ApiResponse::from_fields(&QueryFanoutsResponse {
        data: found.rows.iter().map(|row| models.row(row)).collect(),
        total_count: found.total_count,
        total_queries: found.total_queries,
        pagination: page.full_pagination(found.total_count),
        period: analytics.range.label(),
    })
}

/// Common numbers of the models of all entities in a scope. Each entity has its own ordinals.
struct ModelNumbers {
    uuids: Vec<Uuid>,
    /// The number of each model ordinal, by the index of the entity.
    numbers: Vec<Vec<u32>>,
}

impl ModelNumbers {
    fn new(scope: &Scope<'_>) -> Self {
        let mut number_by_uuid: BTreeMap<Uuid, u32> = BTreeMap::new();
        let mut uuids = Vec::new();
        let mut next = 0..;
        let mut number = |uuid: &Uuid| {
            *number_by_uuid.entry(*uuid).or_insert_with(|| {
                uuids.push(*uuid);
                next.next().unwrap_or(u32::MAX) // No workspace has asked so many models.
            })
        };
        let numbers = scope
            .entities
            .iter()
            .map(|counted| counted.entity.model_ordinals.iter().map(&mut number).collect())
            .collect();
        Self { uuids, numbers }
    }

    fn of_entity(&self, entity_index: usize) -> &[u32] {
        self.numbers.get(entity_index).map_or(&[], Vec::as_slice)
    }

    fn row(&self, row: &QueryRow<'_>) -> QueryFanoutView {
        let uuid = |number: &u32| self.uuids.get(usize::try_from(*number).ok()?).copied();
        QueryFanoutView {
            query: row.query.to_owned(),
            frequency: row.frequency,
            unique_responses: row.unique_responses,
            latest_date: row.latest.iso(),
            model_ids: row.models.as_slice().iter().filter_map(uuid).collect(),
        }
    }
}
