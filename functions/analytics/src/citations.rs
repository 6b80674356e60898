//! `GET /entities/citations`

use analysis::{Filters, Scope, State};
use api::{ApiError, Call, Reply, subject};
use domain::facts::domains::top_domains;
use domain::group::{merged_domains, row_domains};
use domain::id::EntityId;
use domain::page::Pagination;
use serde::Serialize;
use uuid::Uuid;

use crate::parts::parts;

#[derive(Serialize)]
struct Listed {
    data: Vec<Row>,
    pagination: Pagination,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    rank: u64,
    domain: String,
    name: String,
    total_citations: u64,
    entity_uuid: Uuid,
}

/// The cited domains, the most cited first; those of a group are one row.
pub(crate) async fn citations(call: Call<State>) -> Result<Reply, ApiError> {
    let entity = call.required("entityId")?;
    let range = call.query.range(call.state.app.clock.now().day())?;
    let (page, filters) = (call.query.page()?, Filters::read(&call.query)?);
    let id: EntityId = subject(entity, "Entity")?;
    let at = (&call.state.app.store, &call.tenant);
    let (scope, names) = Scope::with_names(at, &id, &range, &filters).await?;
    let (facts, rows) = (&call.state.facts, row_domains(&scope.merged));
    let listed = facts.citations(at, &scope.trackings, &rows, |texts, held| {
        let found = top_domains(
            &parts(held),
            &merged_domains(&scope.merged, texts),
            texts,
            page.offset(),
            page.limit(),
        );
        let row = |row: &domain::facts::ranking::Ranked| {
            let named = names.of_domain(texts.get(row.number));
            Row {
                rank: row.rank,
                domain: named.domain,
                name: named.name,
                total_citations: row.count,
                entity_uuid: named.uuid,
            }
        };
        Listed {
            data: found.rows.iter().map(row).collect(),
            pagination: page.pagination(found.total),
        }
    });
    Reply::of(&listed.await?)
}
