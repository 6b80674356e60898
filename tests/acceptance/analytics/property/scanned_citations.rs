//! Computes citation and search figures from the scanned responses.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use domain::time::Timestamp;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::random_workspace::RecordedResponse;
use super::scan::{DisplayedBrand, ResponseScan, urls};

/// A row of `/query-fanouts`.
#[derive(Debug, Default)]
pub(super) struct SearchRow {
    pub(super) frequency: u64,
    responses: u64,
    latest: Option<Timestamp>,
    models: BTreeSet<String>,
    /// Per spelling: count, first instant, and index in the answer.
    spellings: BTreeMap<String, (u64, Timestamp, usize)>,
}

impl ResponseScan<'_> {
    /// Returns each cited brand with its citations, the most cited first.
    pub(super) fn cited(&self) -> Vec<(DisplayedBrand, u64)> {
        let mut counts: BTreeMap<DisplayedBrand, u64> = BTreeMap::new();
        for url in self.answered().flat_map(urls) {
            *counts.entry(self.display_domain(url.registrable())).or_default() += 1;
        }
        let mut rows: Vec<(DisplayedBrand, u64)> = counts.into_iter().collect();
        rows.sort_by_key(|(shown, count)| (Reverse(*count), shown.domain.clone()));
        rows
    }

    pub(super) fn citations(&self) -> Vec<Value> {
        let row = |(rank, (shown, count)): (u64, (DisplayedBrand, u64))| {
            json!({"rank": rank, "domain": shown.domain, "name": shown.name, "totalCitations": count,
                "entityUuid": shown.uuid})
        };
        (1..).zip(self.cited()).map(row).collect()
    }

    /// Returns the days and the descriptors of `/trends/citations`.
    pub(super) fn trend(&self, top: usize) -> (Vec<Value>, Vec<Value>) {
        let mut rows = self.cited();
        rows.truncate(top);
        let key = |shown: &DisplayedBrand| {
            let others = || {
                rows.iter()
                    .map(|row| &row.0)
                    .filter(|other| other.uuid != shown.uuid)
            };
            let is_taken = others().any(|other| other.name == shown.name || other.domain == shown.name);
            let key = if is_taken || shown.name == "day" {
                &shown.domain
            } else {
                &shown.name
            };
            key.clone()
        };
        let mut days = Vec::new();
        let mut day = self.question.first;
        while day <= self.question.last {
            let mut point = Map::new();
            point.insert("day".to_owned(), json!(day.to_string()));
            for (shown, _) in &rows {
                let on_day = self.answered().filter(|recorded| recorded.check.day == day);
                let of_row = on_day.flat_map(urls);
                let of_row = of_row.filter(|url| self.display_domain(url.registrable()) == *shown);
                point.insert(key(shown), json!(of_row.count()));
            }
            days.push(Value::Object(point));
            day = day.plus_days(1);
        }
        let descriptor = |(shown, count): &(DisplayedBrand, u64)| {
            json!({"entityId": shown.entity, "entityUuid": shown.uuid, "name": shown.name,
                "domain": shown.domain, "totalCitations": count})
        };
        (days, rows.iter().map(descriptor).collect())
    }

    /// Returns the URLs of one cited brand.
    pub(super) fn details(&self, uuid: Uuid) -> Vec<Value> {
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        for url in self.answered().flat_map(urls) {
            if self.stands_for(uuid, url.registrable()) {
                *counts.entry(url.to_string()).or_default() += 1;
            }
        }
        let mut rows: Vec<(String, u64)> = counts.into_iter().collect();
        rows.sort_by_key(|(url, count)| (Reverse(*count), url.clone()));
        let row = |(url, count): (String, u64)| json!({"url": url, "citationCount": count});
        rows.into_iter().map(row).collect()
    }

    /// Returns the searches, the most frequent first, and their total frequency.
    pub(super) fn fanouts(&self, search: Option<&str>) -> (Vec<SearchRow>, u64) {
        let mut rows: BTreeMap<String, SearchRow> = BTreeMap::new();
        for recorded in self.answered() {
            self.add_searches(recorded, &mut rows);
        }
        let needle = search.map(|text| folded(text.trim()));
        let is_found = |text: &str| needle.as_ref().is_none_or(|needle| text.contains(needle));
        rows.retain(|text, _| is_found(text));
        let total = rows.values().map(|row| row.frequency).sum();
        let mut rows: Vec<(String, SearchRow)> = rows.into_iter().collect();
        rows.sort_by_key(|(text, row)| (Reverse(row.frequency), text.clone()));
        (rows.into_iter().map(|row| row.1).collect(), total)
    }

    fn add_searches(&self, recorded: &RecordedResponse, rows: &mut BTreeMap<String, SearchRow>) {
        let at = recorded.response.answered_at;
        let mut seen = BTreeSet::new();
        for (place, query) in recorded.response.queries.iter().enumerate() {
            let spelling = query.split_whitespace().collect::<Vec<_>>().join(" ");
            let row = rows.entry(folded(&spelling)).or_default();
            row.frequency += 1;
            row.responses += u64::from(seen.insert(folded(&spelling)));
            row.latest = row.latest.max(Some(at));
            row.models.insert(self.model(recorded));
            let known = row.spellings.entry(spelling).or_insert((0, at, place));
            known.0 += 1;
            (known.1, known.2) = (known.1, known.2).min((at, place));
        }
    }
}

/// Folds a query for comparison, sufficient for the texts of this test.
fn folded(text: &str) -> String {
    text.to_lowercase().replace('ß', "ss")
}

impl SearchRow {
    /// Asserts that `row` has these figures. Among spellings first seen at one instant, any can be shown.
    #[track_caller]
    pub(super) fn assert(&self, row: &Value, what: &str) {
        let most = self.spellings.values().map(|spelling| spelling.0).max();
        let most_frequent = || self.spellings.iter().filter(|(_, s)| Some(s.0) == most);
        let first = most_frequent().map(|(_, spelling)| spelling.1).min();
        let mut candidates = most_frequent().filter(|(_, s)| Some(s.1) == first);
        let shown = row["query"].as_str().unwrap();
        let is_one = candidates.any(|(text, _)| text == shown);
        assert!(is_one, "{shown:?} is not it, but {self:?}, {what}");
        let mut models: Vec<String> = serde_json::from_value(row["modelIds"].clone()).unwrap();
        models.sort();
        let found = json!({"frequency": row["frequency"], "uniqueResponses": row["uniqueResponses"],
            "latestDate": row["latestDate"], "modelIds": models});
        let expected = json!({"frequency": self.frequency, "uniqueResponses": self.responses,
            "latestDate": self.latest.unwrap().iso(), "modelIds": self.models});
        assert_eq!(found, expected, "{what}");
    }
}
