//! `GET /entities/competitors`

use std::cmp::Reverse;
use std::collections::BTreeMap;

use analysis::{Filters, MergedBrands, Named, Names, Scope, State};
use api::{ApiError, Call, Reply, subject};
use domain::brand::BrandUuid;
use domain::facts::domains::top_domains;
use domain::facts::mentions::{BrandMentions, brand_mentions};
use domain::id::EntityId;
use domain::metrics::percent;
use domain::page::Pagination;
use serde::Serialize;
use uuid::Uuid;

use crate::merged::{merged, parts, row_domains};

#[derive(Serialize)]
struct Listed {
    data: Vec<Row>,
    pagination: Pagination,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    rank: u64,
    entity_uuid: Uuid,
    entity_id: Option<EntityId>,
    name: String,
    domain: Option<String>,
    mentions: u64,
    total_citations: u64,
    share_of_voice: Option<f64>,
    is_current_entity: bool,
}

/// A brand or cited domain and what is counted of it.
struct Counted {
    named: Named,
    mentions: u64,
    citations: u64,
    is_own: bool,
}

/// The brands that are mentioned and the domains that are cited, the entity itself among them. Share of voice is a
/// brand's mentions of those of all brands, each once per response.
pub(crate) async fn competitors(call: Call<State>) -> Result<Reply, ApiError> {
    let entity = call.required("entityId")?;
    let range = call.query.range(call.state.app.clock.now().day())?;
    let (page, filters) = (call.query.page()?, Filters::read(&call.query)?);
    let id: EntityId = subject(entity, "Entity")?;
    let at = (&call.state.app.store, &call.tenant);
    let (scope, names) = Names::with_scope(at, &id, &range, &filters).await?;
    let (facts, rows) = (&call.state.facts, row_domains(&scope));
    let counts_as = counts_as(&scope);
    let (mentions, cited) = tokio::try_join!(
        facts.visibility(at, &scope.trackings, |held| {
            let segments = held.iter().map(|held| (held.segment, held.selection));
            brand_mentions(segments, &scope.brands, &counts_as)
        }),
        facts.citations(at, &scope.trackings, &rows, |texts, held| {
            let found = top_domains(&parts(held), &merged(&scope, texts), texts, 0, u64::MAX);
            let domain = |row: &domain::facts::ranking::Ranked| (texts.get(row.number).to_owned(), row.count);
            found.rows.iter().map(domain).collect::<Vec<_>>()
        })
    )?;
    let counted_rows = counted(&scope, &names, &mentions, &cited);
    let (total, voices) = (counted_rows.len(), mentions.total());
    let row = |(rank, counted): (u64, Counted)| Row {
        rank,
        entity_uuid: counted.named.uuid,
        entity_id: counted.named.entity_id,
        name: counted.named.name,
        domain: Some(counted.named.domain).filter(|domain| !domain.is_empty()),
        mentions: counted.mentions,
        total_citations: counted.citations,
        share_of_voice: percent(counted.mentions, voices),
        is_current_entity: counted.is_own,
    };
    Reply::of(&Listed {
        data: page.of((1..).zip(counted_rows).map(row).collect()),
        pagination: page.pagination(u64::try_from(total).unwrap_or(u64::MAX)),
    })
}

/// The members of each group count as its first one.
fn counts_as(scope: &Scope) -> BTreeMap<u32, u32> {
    let of_group = |merged: &MergedBrands| -> Vec<(u32, u32)> {
        let first = merged.members.first().map(|first| first.ordinal);
        let members = merged.members.iter().map(|member| member.ordinal);
        members.zip(first.into_iter().cycle()).collect()
    };
    scope.merged.iter().flat_map(of_group).collect()
}

/// One row per brand or domain with any count, most mentioned first, then most cited, then by domain and name.
fn counted(scope: &Scope, names: &Names, mentions: &BrandMentions, cited: &[(String, u64)]) -> Vec<Counted> {
    let own = scope.trackings.first().map(|tracking| &tracking.entity);
    let own = own.map(|entity| names.of_brand(entity.brand, entity.domain.as_deref()));
    let own_uuid = own.as_ref().map(|named| named.uuid);
    let mut rows: BTreeMap<BrandUuid, Counted> = BTreeMap::new();
    let mut add = |named: Named, mentions: u64, citations: u64| {
        let is_own = Some(named.uuid) == own_uuid;
        let row = rows.entry(named.uuid).or_insert(Counted {
            named,
            mentions: 0,
            citations: 0,
            is_own,
        });
        row.mentions += mentions;
        row.citations += citations;
    };
    if let Some(own) = own {
        add(own, mentions.own, 0);
    }
    for brand in scope.known.values() {
        if let Some(times) = mentions.others.get(&brand.ordinal) {
            add(names.of_brand(brand.uuid, brand.domain.as_deref()), *times, 0);
        }
    }
    for (domain, times) in cited {
        add(names.of_domain(domain), 0, *times);
    }
    let mut rows: Vec<Counted> = rows
        .into_values()
        .filter(|row| row.mentions + row.citations > 0)
        .collect();
    rows.sort_by(|a, b| place(a).cmp(&place(b)));
    rows
}

/// What rows are sorted by.
fn place(row: &Counted) -> (Reverse<u64>, Reverse<u64>, &str, &str, Uuid) {
    let Named {
        domain, name, uuid, ..
    } = &row.named;
    (Reverse(row.mentions), Reverse(row.citations), domain, name, *uuid)
}
