//! Compares the figures of a recommendation's evidence with the responses to the queries stated beside them.

use domain::metrics::{Share, percent};
use serde_json::{Value, json};

use crate::analytics::TrackedEntity;

impl TrackedEntity {
    /// Calls each query in an actionable's metadata, compares the figures beside it, and returns the number
    /// of calls.
    pub(super) async fn reproduce(&self, actionable: &Value) -> usize {
        let mut calls = 0;
        let mut open = vec![&actionable["metadata"]];
        while let Some(object) = open.pop() {
            if object["query"].is_object() {
                self.compare(object).await;
                calls += 1;
            }
            let fields = object.as_object().unwrap().iter();
            open.extend(fields.map(|(_, value)| value).filter(|value| value.is_object()));
        }
        calls
    }

    async fn compare(&self, object: &Value) {
        let query = &object["query"];
        match query["path"].as_str().unwrap() {
            "/trends/visibility" => self.compare_visibility(object).await,
            "/trends/compare" => self.compare_windows(object).await,
            "/entities/citations" => {
                let own = self.brand().await;
                let rows = self.rows(query).await;
                let own = rows.iter().filter(|row| row["entityUuid"] == own);
                let (own, all) = (sum(own, "totalCitations"), sum(rows.iter(), "totalCitations"));
                assert_eq!(object["counts"], json!({"ownCitations": own, "citations": all}));
                assert_figures(object, own, all);
            }
            "/entities/citations/details" => {
                let rows = self.rows(query).await;
                assert_eq!(object["citations"], sum(rows.iter(), "citationCount"));
                let urls = object["urls"].as_array().unwrap();
                assert_eq!(urls.len(), rows.len().min(5));
                assert_eq!(urls[..], rows[..urls.len()]);
            }
            "/entities/competitors" => {
                let rows = self.rows(query).await;
                for voice in [&object["rival"], &object["own"]] {
                    let row = rows.iter().find(|row| row["entityUuid"] == voice["entityUuid"]);
                    for field in ["name", "domain", "mentions", "shareOfVoice"] {
                        assert_eq!(voice[field], row.unwrap()[field], "{field}");
                    }
                }
            }
            "/entities/prompts" => {
                let rows = self.rows(query).await;
                let ids = query["parameters"]["promptIds"].as_str().unwrap();
                assert_eq!(rows.len(), ids.split(',').count());
                let stats = || rows.iter().map(|row| &row["stats"]);
                assert_eq!(object["citations"], sum(stats(), "citations"));
                if object["counts"].is_object() {
                    let (mentions, responses) = (sum(stats(), "mentions"), sum(stats(), "responses"));
                    assert_eq!(
                        object["counts"],
                        json!({"mentions": mentions, "responses": responses})
                    );
                    assert_figures(object, mentions, responses);
                }
            }
            "/query-fanouts" => {
                let rows = self.rows(query).await;
                let row = rows
                    .iter()
                    .find(|row| row["query"] == object["searchQuery"])
                    .unwrap();
                assert_eq!(row["frequency"], object["frequency"]);
                assert_eq!(row["uniqueResponses"], object["uniqueResponses"]);
                assert_eq!(row["modelIds"], object["modelIds"]);
            }
            other => panic!("{other}"),
        }
    }

    /// Compares the object's own counts, or the sum of `before` and `after`.
    async fn compare_visibility(&self, object: &Value) {
        let points = self.rows(&object["query"]).await;
        let found = ["mentions", "responses"].map(|field| sum(points.iter(), field));
        if object["counts"].is_object() {
            assert_eq!(
                object["counts"],
                json!({"mentions": found[0], "responses": found[1]})
            );
            assert_figures(object, found[0], found[1]);
        } else {
            let sides = || {
                ["before", "after"]
                    .map(|side| &object[side]["counts"])
                    .into_iter()
            };
            assert_eq!(found, ["mentions", "responses"].map(|field| sum(sides(), field)));
        }
    }

    /// Compares the object's own counts with those of its window, or asserts that both windows are those of
    /// the object.
    async fn compare_windows(&self, object: &Value) {
        let found = self
            .world
            .get(&self.account, &path_of(&object["query"], &[]))
            .await
            .ok();
        let found = &found["data"];
        if !object["counts"].is_object() {
            assert_eq!(found["comparison"]["verdict"], "down");
            assert_eq!(found["base"]["startDate"], object["before"]["startDate"]);
            assert_eq!(found["window"]["endDate"], object["after"]["endDate"]);
            return;
        }
        let mut sides = ["base", "window"].into_iter();
        let side = sides.find(|side| found[side]["startDate"] == object["startDate"]);
        let counts = &found["comparison"][side.unwrap()];
        let [mentions, responses] = ["mentions", "responses"].map(|field| counts[field].as_u64().unwrap());
        assert_eq!(
            object["counts"],
            json!({"mentions": mentions, "responses": responses})
        );
        assert_figures(object, mentions, responses);
    }

    /// Returns the rows of all pages of a query.
    async fn rows(&self, query: &Value) -> Vec<Value> {
        let mut rows = Vec::new();
        loop {
            let page = [("limit", "2".to_owned()), ("offset", rows.len().to_string())];
            let path = path_of(query, &page);
            let answer = self.world.get(&self.account, &path).await.ok();
            rows.extend(answer["data"].as_array().unwrap().iter().cloned());
            let pages = &answer["pagination"];
            let total = pages["total"].as_u64().or(pages["totalCount"].as_u64());
            if total.is_none_or(|total| rows.len() as u64 >= total) {
                return rows;
            }
        }
    }

    /// Returns the entity's brand uuid.
    async fn brand(&self) -> Value {
        let entities = self.world.get(&self.account, "/entities").await.ok();
        let mut rows = entities["data"].as_array().unwrap().iter();
        rows.find(|row| row["id"] == self.entity.as_str()).unwrap()["entityUuid"].clone()
    }
}

/// Returns the path and the query of a request with some more parameters.
fn path_of(query: &Value, more: &[(&str, String)]) -> String {
    let parameters = query["parameters"].as_object().unwrap().iter();
    let given = parameters.map(|(name, value)| (name.as_str(), value.as_str().unwrap().to_owned()));
    let url = format!("http://localhost{}", query["path"].as_str().unwrap());
    let url = reqwest::Url::parse_with_params(&url, given.chain(more.iter().cloned())).unwrap();
    format!("{}?{}", url.path(), url.query().unwrap())
}

fn sum<'a>(rows: impl Iterator<Item = &'a Value>, field: &str) -> u64 {
    rows.map(|row| row[field].as_u64().unwrap()).sum()
}

fn assert_figures(object: &Value, mentions: u64, responses: u64) {
    let share = Share { mentions, responses };
    assert_eq!(object["score"], json!(percent(mentions, responses)));
    assert_eq!(object["interval"], json!(share.interval()));
}
