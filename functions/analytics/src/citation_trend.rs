//! `GET /trends/citations`

use std::collections::BTreeMap;

use api::{ApiError, ApiRequest, ApiResponse, Columns, Format};
use domain::error::InvalidField;
use domain::group::BrandLabel;
use domain::id::EntityId;
use domain::limits::{DEFAULT_TOP_DOMAINS, MAX_TOP_DOMAINS};
use domain::page::parse_whole_number;
use domain::time::Day;
use facts::figures::{CitationTrend, RankedText, citation_trend, row_of_domains};
use serde::ser::{Serialize, SerializeMap, Serializer};
use uuid::Uuid;

use crate::{AnalyticsRequest, AnalyticsState};

#[derive(serde::Serialize, schemars::JsonSchema)]
pub struct CitationTrendResponse<'a> {
    /// Every day of the period, in ascending order.
    data: Vec<CitationDayView<'a>>,
    /// The included domains, the most cited first.
    entities: Vec<CitedEntityView>,
    /// The days that the response is about. `custom` means that `startDate` or `endDate` was given.
    #[schemars(with = "domain::period_label::PeriodLabel")]
    period: &'static str,
}

/// The citations of each day and domain, as a table needs them.
#[derive(serde::Serialize)]
struct CitationTable<'a> {
    data: Vec<CitationCount<'a>>,
}

#[derive(serde::Serialize)]
struct CitationCount<'a> {
    date: String,
    domain: &'a str,
    count: u64,
}

/// The citations of one day. The response has one field per cited domain, named by its key.
struct CitationDayView<'a> {
    day: Day,
    keys: &'a [String],
    counts: &'a [u64],
}

#[derive(serde::Serialize, schemars::JsonSchema)]
#[schemars(rename = "CitationTrendEntity")]
#[serde(rename_all = "camelCase")]
struct CitedEntityView {
    /// The brand's oldest tracking in this workspace. Null if there is none.
    entity_id: Option<EntityId>,
    /// The brand's UUID.
    entity_uuid: Uuid,
    /// The display name. A brand that is not tracked in this workspace is shown by its domain.
    name: String,
    /// The registrable domain. Domains of a domain group count as its primary member's domain.
    domain: String,
    /// The sum of the days' citations.
    total_citations: u64,
}

/// The name of the field that holds the day, which no domain may have as its key.
const DAY: &str = "day";

/// The columns of the table, which has a row for each day and domain.
pub(crate) const COLUMNS: Columns = &["date", "domain", "count"];

/// Returns the citations of the most cited domains on each day of the period.
///
/// `topN` limits the number of domains. Every day is in the response, with a count for every included domain.
pub(crate) async fn get(request: ApiRequest<AnalyticsState>) -> Result<ApiResponse, ApiError> {
    let analytics = AnalyticsRequest::parse(&request)?;
    let top = parse_top(request.query.text("topN")?)?;
    let (scope, names) = analytics.load_scope_with_names().await?;
    let facts = scope.citations().await?;
    let texts = &facts.texts;
    let segments = facts.segments.iter();
    let segments = segments.map(|of| (of.check.day, of.segment.as_ref(), of.selection));
    let grouped = row_of_domains(&scope.groups, texts);
    let trend = citation_trend(segments, &grouped, texts, analytics.range, top);
    let labels = trend
        .rows
        .iter()
        .map(|row| names.of_domain(texts.get(row.text_id)));
    let labels: Vec<BrandLabel> = labels.collect();
    if request.format == Format::Table {
        let data = counts(&trend, &labels);
        return ApiResponse::from_fields(&CitationTable { data });
    }
    let keys = keys(&labels);
    ApiResponse::from_fields(&CitationTrendResponse {
        data: points(&trend, &keys),
        entities: descriptors(&trend, labels),
        period: analytics.range.label(),
    })
}

fn parse_top(text: Option<&str>) -> Result<usize, InvalidField> {
    text.map_or(Ok(DEFAULT_TOP_DOMAINS), |text| {
        parse_whole_number("topN", text, 1, MAX_TOP_DOMAINS)
    })
}

/// Returns the key of each domain: its name if that is no other row's name or domain, and otherwise the
/// domain itself.
fn keys(labels: &[BrandLabel]) -> Vec<String> {
    let mut taken: BTreeMap<&str, usize> = BTreeMap::new();
    for label in labels {
        *taken.entry(&label.name).or_default() += 1;
        if label.domain != label.name {
            *taken.entry(&label.domain).or_default() += 1;
        }
    }
    let is_taken = |name: &str| name == DAY || taken.get(name).is_some_and(|times| *times > 1);
    let key = |label: &BrandLabel| match (is_taken(&label.name), label.domain.as_str()) {
        (false, _) => label.name.clone(),
        // A host can have this name, too.
        (true, DAY) => format!("https://{DAY}"),
        (true, domain) => domain.to_owned(),
    };
    labels.iter().map(key).collect()
}

fn counts<'a>(trend: &CitationTrend, labels: &'a [BrandLabel]) -> Vec<CitationCount<'a>> {
    let of_day = |(day, counts): &(Day, Vec<u64>)| {
        let date = day.to_string();
        let counts = labels.iter().zip(counts.clone());
        counts.map(move |(label, count)| CitationCount {
            date: date.clone(),
            domain: &label.domain,
            count,
        })
    };
    trend.days.iter().flat_map(of_day).collect()
}

fn points<'a>(trend: &'a CitationTrend, keys: &'a [String]) -> Vec<CitationDayView<'a>> {
    let point = |(day, counts): &'a (Day, Vec<u64>)| CitationDayView {
        day: *day,
        keys,
        counts,
    };
    trend.days.iter().map(point).collect()
}

impl Serialize for CitationDayView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut point = serializer.serialize_map(Some(1 + self.keys.len()))?;
        point.serialize_entry(DAY, &self.day.to_string())?;
        for (key, count) in self.keys.iter().zip(self.counts) {
            point.serialize_entry(key, count)?;
        }
        point.end()
    }
}

impl schemars::JsonSchema for CitationDayView<'_> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "CitationPoint".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let mut day = domain::schema::IsoDay::json_schema(generator);
        day.insert("description".into(), "The UTC day.".into());
        schemars::json_schema!({
            "type": "object",
            "properties": {(DAY): day},
            "required": [DAY],
            "additionalProperties": {
                "type": "integer",
                "minimum": 0,
                "description": "The day's citations of an included domain. The key is the entity's `name`. If \
                                several entities have that name, the key is the `domain`.",
            },
        })
    }
}

fn descriptors(trend: &CitationTrend, labels: Vec<BrandLabel>) -> Vec<CitedEntityView> {
    let descriptor = |(row, label): (&RankedText, BrandLabel)| CitedEntityView {
        entity_id: label.entity_id,
        entity_uuid: label.uuid,
        name: label.name,
        domain: label.domain,
        total_citations: row.count,
    };
    trend.rows.iter().zip(labels).map(descriptor).collect()
}

#[cfg(test)]
mod tests {
    use domain::brand::uuid_of_domain;

    use super::*;

    #[test]
    fn a_domain_is_the_key_if_its_name_is_not_unique() {
        let label = |name: &str, domain: &str| BrandLabel {
            entity_id: None,
            uuid: uuid_of_domain(domain),
            name: name.to_owned(),
            domain: domain.to_owned(),
        };
        let rows = [
            label("Acme", "acme.com"),
            label("Twin", "one.com"),
            label("Twin", "two.com"),
            label("day", "daily.com"),
            label("day", "day"),
            label("plain.com", "plain.com"),
            // This name is the domain of another row.
            label("acme.com", "thief.com"),
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
