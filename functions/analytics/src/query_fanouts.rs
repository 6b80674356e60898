//! `GET /query-fanouts`

use std::collections::BTreeMap;

use analytics_core::{AnalyticsState, Filters, Scope};
use api::{ApiError, ApiRequest, ApiResponse, parse_id};
use domain::facts::questions::{FanoutSegment, QueryRow, queries};
use domain::id::EntityId;
use domain::page::FullPagination;
use serde::Serialize;
use uuid::Uuid;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct QueryFanoutsResponse {
    data: Vec<QueryFanoutView>,
    total_count: u64,
    total_queries: u64,
    pagination: FullPagination,
    period: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct QueryFanoutView {
    query: String,
    frequency: u64,
    unique_responses: u64,
    latest_date: String,
    model_ids: Vec<Uuid>,
}

/// The web searches that the models ran, the most frequent first.
pub(crate) async fn list(request: ApiRequest<AnalyticsState>) -> Result<ApiResponse, ApiError> {
    let entity = request.required("entityId")?;
    let range = request.query.range(request.state.api.clock.now().day())?;
    let (page, filters) = (request.query.page()?, Filters::read(&request.query)?);
    let search = request.query.text("search")?;
    let id: EntityId = parse_id(entity, "Entity")?;
    let at = (&request.state.api.store, &request.tenant);
    let scope = Scope::read(at.0, at.1, &id, &range, &filters).await?;
    let models = Models::of(&scope);
    let facts = &request.state.facts;
    let listed = facts.fanouts(at, &scope.trackings, |texts, held| {
        let days: Vec<FanoutSegment<'_>> = held
            .iter()
            .map(|held| FanoutSegment {
                segment: held.segment,
                selection: held.selection,
                models: models.of_tracking(held.place),
            })
            .collect();
        let found = queries(&days, texts, search, &page);
        QueryFanoutsResponse {
            data: found.rows.iter().map(|row| models.row(row)).collect(),
            total_count: found.total_count,
            total_queries: found.total_queries,
            pagination: page.full_pagination(found.total_count),
            period: range.label(),
        }
    });
    ApiResponse::of(&listed.await?)
}

/// The models of all trackings, numbered together: each tracking has ordinals of its own.
struct Models {
    uuids: Vec<Uuid>,
    numbers: Vec<Vec<u32>>,
}

impl Models {
    fn of(scope: &Scope) -> Self {
        let mut known: BTreeMap<Uuid, u32> = BTreeMap::new();
        let mut uuids = Vec::new();
        let mut number = |uuid: &Uuid| {
            let next = u32::try_from(known.len()).unwrap_or(u32::MAX);
            *known.entry(*uuid).or_insert_with(|| {
                uuids.push(*uuid);
                next
            })
        };
        let numbers = scope
            .trackings
            .iter()
            .map(|tracking| tracking.entity.model_ordinals.iter().map(&mut number).collect())
            .collect();
        Self { uuids, numbers }
    }

    fn of_tracking(&self, place: usize) -> &[u32] {
        self.numbers.get(place).map(Vec::as_slice).unwrap_or_default()
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
