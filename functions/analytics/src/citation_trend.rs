//! `GET /trends/citations`

use std::collections::BTreeMap;

use analysis::{Filters, Named, Names, State};
use api::{ApiError, Call, Reply, subject};
use domain::error::Invalid;
use domain::facts::domains::{CitationTrend, citation_trend};
use domain::id::EntityId;
use domain::limits::{TOP_DOMAINS_DEFAULT, TOP_DOMAINS_MOST};
use domain::page::whole;
use serde::Serialize;
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::merged::{merged, parts, row_domains};

#[derive(Serialize)]
struct Trend {
    data: Vec<Map<String, Value>>,
    entities: Vec<Descriptor>,
    period: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor {
    entity_id: Option<EntityId>,
    entity_uuid: Uuid,
    name: String,
    domain: String,
    total_citations: u64,
}

/// The field of a point that is no domain's.
const DAY: &str = "day";

/// Every day of the period, with one count per included domain.
pub(crate) async fn citation_trend_of(call: Call<State>) -> Result<Reply, ApiError> {
    let entity = call.required("entityId")?;
    let range = call.query.range(call.state.app.clock.now().day())?;
    let filters = Filters::read(&call.query)?;
    let top = top(call.query.text("topN")?)?;
    let id: EntityId = subject(entity, "Entity")?;
    let at = (&call.state.app.store, &call.tenant);
    let (scope, names) = Names::with_scope(at, &id, &range, &filters).await?;
    let (facts, rows) = (&call.state.facts, row_domains(&scope));
    let shown = facts.citations(at, &scope.trackings, &rows, |texts, held| {
        let trend = citation_trend(&parts(held), &merged(&scope, texts), texts, range, top);
        let named: Vec<Named> = trend
            .rows
            .iter()
            .map(|row| names.of_domain(texts.get(row.number)))
            .collect();
        (trend, named)
    });
    let (trend, named) = shown.await?;
    Reply::of(&Trend {
        data: points(&trend, &keys(&named)),
        entities: descriptors(&trend, named),
        period: range.label(),
    })
}

fn top(text: Option<&str>) -> Result<u64, Invalid> {
    text.map_or(Ok(TOP_DOMAINS_DEFAULT), |text| {
        whole("topN", text, 1, TOP_DOMAINS_MOST)
    })
}

/// A domain's key is its name; where that is no name of its own, the domain.
fn keys(named: &[Named]) -> Vec<String> {
    let mut taken: BTreeMap<&str, usize> = BTreeMap::new();
    for named in named {
        *taken.entry(&named.name).or_default() += 1;
        if named.domain != named.name {
            *taken.entry(&named.domain).or_default() += 1;
        }
    }
    let is_taken = |name: &str| name == DAY || taken.get(name).is_some_and(|times| *times > 1);
    let key = |named: &Named| match (is_taken(&named.name), named.domain.as_str()) {
        (false, _) => named.name.clone(),
        // A host of that name can be cited, too.
        (true, DAY) => format!("https://{DAY}"),
        (true, domain) => domain.to_owned(),
    };
    named.iter().map(key).collect()
}

fn points(trend: &CitationTrend, keys: &[String]) -> Vec<Map<String, Value>> {
    let point = |(day, counts): &(domain::time::Day, Vec<u64>)| {
        let day = (DAY.to_owned(), Value::from(day.to_string()));
        let counts = keys
            .iter()
            .cloned()
            .zip(counts.iter().map(|count| Value::from(*count)));
        std::iter::once(day).chain(counts).collect()
    };
    trend.days.iter().map(point).collect()
}

fn descriptors(trend: &CitationTrend, named: Vec<Named>) -> Vec<Descriptor> {
    let descriptor = |(row, named): (&domain::facts::ranking::Ranked, Named)| Descriptor {
        entity_id: named.entity_id,
        entity_uuid: named.uuid,
        name: named.name,
        domain: named.domain,
        total_citations: row.count,
    };
    trend.rows.iter().zip(named).map(descriptor).collect()
}

#[cfg(test)]
mod tests {
    use domain::brand::of_domain;

    use super::*;

    #[test]
    fn a_name_that_is_not_the_only_one_of_its_kind_gives_way_to_the_domain() {
        let named = |name: &str, domain: &str| Named {
            entity_id: None,
            uuid: of_domain(domain),
            name: name.to_owned(),
            domain: domain.to_owned(),
        };
        let rows = [
            named("Acme", "acme.com"),
            named("Twin", "one.com"),
            named("Twin", "two.com"),
            named("day", "daily.com"),
            named("day", "day"),
            named("plain.com", "plain.com"),
            // Another entry's domain.
            named("acme.com", "thief.com"),
        ];
        let expected = [
            "Acme",
            "one.com",
            "two.com",
            "daily.com",
            "https://day",
            "plain.com",
            "thief.com",
        ];
        assert_eq!(keys(&rows), expected);
    }
}
