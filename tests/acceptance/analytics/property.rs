//! Compares every analytics endpoint with a scan of the recorded responses, on random workspaces and
//! questions.

mod random_response;
mod random_workspace;
mod scan;
mod scanned_citations;
mod scanned_comparison;
mod scanned_responses;

use acceptance::SeededRng;
use domain::time::Day;
use serde_json::{Value, json};

use random_workspace::RandomWorkspace;
use scan::ResponseScan;

use super::overview::assert_overview;
use crate::tables::{assert_same_rows, rows_of_citation_trend, rows_of_comparison, table};

/// The seeds of the random workspaces, and the number of questions for each.
const SEEDS: std::ops::Range<u64> = 0..8;
const QUESTIONS: usize = 6;

/// A random question for the analytics endpoints: an entity, a range and filters.
#[derive(Debug, Clone)]
pub(super) struct Question {
    pub(super) entity: String,
    pub(super) first: Day,
    pub(super) last: Day,
    pub(super) period: &'static str,
    pub(super) models: Option<Vec<String>>,
    pub(super) prompts: Option<Vec<String>>,
    pub(super) tags: Option<Vec<String>>,
    pub(super) union: bool,
    /// The encoded query string.
    query: String,
}

impl Question {
    fn random(workspace: &RandomWorkspace, rng: &mut SeededRng) -> Self {
        let today = workspace.today();
        let (period, first, last) = match rng.below(5) {
            0 => ("7d", today.plus_days(-6), today),
            1 => ("14d", today.plus_days(-13), today),
            2 => ("30d", today.plus_days(-29), today),
            _ => {
                let first = today.plus_days(-i32::try_from(rng.below(45)).unwrap());
                let last = first.plus_days(i32::try_from(rng.below(50)).unwrap());
                ("custom", first, last)
            }
        };
        let mut question = Self {
            entity: rng.choose(&workspace.entities).clone(),
            first,
            last,
            period,
            models: some(rng, &workspace.models, &workspace.unasked_model),
            prompts: some(rng, &workspace.prompts, "unheard-of"),
            tags: some(rng, &workspace.tags, "unheard-of"),
            union: rng.chance(75),
            query: String::new(),
        };
        question.query = question.encoded();
        question
    }

    fn encoded(&self) -> String {
        let mut query = format!("entityId={}", self.entity);
        if self.period == "custom" {
            query += &format!("&startDate={}&endDate={}", self.first, self.last);
        } else {
            query += &format!("&period={}", self.period);
        }
        for (name, values) in [
            ("models", &self.models),
            ("promptIds", &self.prompts),
            ("tags", &self.tags),
        ] {
            if let Some(values) = values {
                query += &format!("&{name}={}", values.join(","));
            }
        }
        if !self.union {
            query += "&union=false";
        }
        query
    }
}

/// Returns no filter in most cases, otherwise some of the values and sometimes one that matches nothing.
fn some(rng: &mut SeededRng, all: &[String], no_match: &str) -> Option<Vec<String>> {
    if rng.chance(60) {
        return None;
    }
    let mut some: Vec<String> = all.iter().filter(|_| rng.chance(50)).cloned().collect();
    if some.is_empty() || rng.chance(20) {
        some.push(no_match.to_owned());
    }
    Some(some)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_endpoint_says_what_a_scan_of_the_responses_says() {
    for seed in SEEDS {
        compare_endpoints(seed).await;
    }
}

async fn compare_endpoints(seed: u64) {
    let mut rng = SeededRng::new(seed);
    // The last workspaces track one brand alone, by two entities.
    let brands = if seed + 2 < SEEDS.end { usize::MAX } else { 2 };
    let workspace = RandomWorkspace::random(&mut rng, brands).await;
    let data = workspace.data().await;
    for at in 0..QUESTIONS {
        let question = Question::random(&workspace, &mut rng);
        let scan = ResponseScan::new(&data, &question);
        let asked = Comparison {
            workspace: &workspace,
            query: question.query.clone(),
            limit: 2 + rng.below(30),
            shown: format!("seed {seed}, question {at}: {}", question.query),
        };
        asked.trends(&scan, &mut rng).await;
        asked.citations(&scan).await;
        asked.fanouts(&scan, &mut rng).await;
        asked.same("/entities/competitors", &scan.competitors()).await;
        asked.responses(&scan, &mut rng).await;
        asked.prompts(&scan).await;
        asked.windows(&data, &question, &mut rng).await;
        asked.overview(&question).await;
        asked.tables(&scan, &mut rng).await;
    }
}

/// Compares the responses of the service to one question with the scan.
struct Comparison<'a> {
    workspace: &'a RandomWorkspace,
    query: String,
    limit: u32,
    /// Describes the question in failure messages.
    shown: String,
}

impl Comparison<'_> {
    async fn get(&self, path: &str, more: &str) -> Value {
        let path = format!("{path}?{}{more}", self.query);
        self.workspace
            .world
            .get(&self.workspace.account, &path)
            .await
            .ok()
    }

    /// Returns the rows of all pages and checks their pagination.
    async fn rows(&self, path: &str, more: &str) -> Vec<Value> {
        let (mut rows, limit) = (Vec::new(), u64::from(self.limit));
        loop {
            let offset = rows.len() as u64;
            let page = format!("{more}&limit={limit}&offset={offset}");
            let page = self.get(path, &page).await;
            let some = page["data"].as_array().unwrap().clone();
            let pagination = &page["pagination"];
            let total = pagination["total"]
                .as_u64()
                .or(pagination["totalCount"].as_u64())
                .unwrap();
            let place = (&pagination["limit"], &pagination["offset"]);
            assert_eq!(place, (&json!(limit), &json!(offset)), "{}", self.shown);
            let expected = total.saturating_sub(offset).min(limit);
            assert_eq!(some.len() as u64, expected, "{} {path}", self.shown);
            rows.extend(some);
            if rows.len() as u64 >= total {
                return rows;
            }
        }
    }

    async fn same(&self, path: &str, expected: &[Value]) {
        self.equal(path, &self.rows(path, "").await, expected);
    }

    #[track_caller]
    fn equal(&self, what: &str, found: &[Value], expected: &[Value]) {
        for (place, (found, expected)) in found.iter().zip(expected).enumerate() {
            assert_eq!(found, expected, "{what} {place}, {}", self.shown);
        }
        assert_eq!(found.len(), expected.len(), "{what}, {}", self.shown);
    }

    async fn trends(&self, scan: &ResponseScan<'_>, rng: &mut SeededRng) {
        let visibility = self.get("/trends/visibility", "").await;
        let points = visibility["data"].as_array().unwrap();
        self.equal("visibility", points, &scan.visibility());
        let top = 1 + rng.below(20);
        let trend = self.get("/trends/citations", &format!("&topN={top}")).await;
        let (days, descriptors) = scan.trend(top as usize);
        let listed = |field: &str| trend[field].as_array().unwrap().clone();
        self.equal("descriptors", &listed("entities"), &descriptors);
        self.equal("days", &listed("data"), &days);
        assert_eq!(trend["period"], scan.question.period, "{}", self.shown);
    }

    /// Compares the overview of all entities with the requests about each, which are compared with the scan.
    async fn overview(&self, question: &Question) {
        let range = format!("startDate={}&endDate={}", question.first, question.last);
        assert_overview(&self.workspace.world, &self.workspace.account, &range).await;
    }

    /// Compares the cited domains and the URLs of each row.
    async fn citations(&self, scan: &ResponseScan<'_>) {
        let path = "/entities/citations/details";
        self.same("/entities/citations", &scan.citations()).await;
        for uuid in scan.brands() {
            let more = format!("&citedEntityUuid={uuid}");
            let found = self.rows(path, &more).await;
            self.equal(&format!("details {uuid}"), &found, &scan.details(uuid));
        }
    }

    async fn fanouts(&self, scan: &ResponseScan<'_>, rng: &mut SeededRng) {
        for search in [
            None,
            Some(*rng.choose(&["CRM", "strasse", " a", "🦀", "nothing like it"])),
        ] {
            let more = search.map_or_else(String::new, |text| format!("&search={text}"));
            let (expected, total) = scan.fanouts(search);
            let found = self.rows("/query-fanouts", &more).await;
            assert_eq!(found.len(), expected.len(), "fanouts{more} {}", self.shown);
            for (found, expected) in found.iter().zip(expected) {
                expected.assert(found, &format!("fanouts{more} {}", self.shown));
            }
            let page = self.get("/query-fanouts", &more).await;
            let counts = (&page["totalCount"], &page["totalQueries"]);
            assert_eq!(counts, (&json!(found.len()), &json!(total)), "{}", self.shown);
            assert_eq!(page["period"], scan.question.period, "{}", self.shown);
        }
    }

    /// Compares all rows and the details of some. Rows of one instant can have any order.
    async fn responses(&self, scan: &ResponseScan<'_>, rng: &mut SeededRng) {
        let found = self.rows("/responses", "").await;
        let sorted = |rows: &[Value]| {
            let mut rows = rows.to_vec();
            rows.sort_by_key(|row| {
                let id = row["responseId"].as_str().unwrap().to_owned();
                (-row["createdAt"].as_i64().unwrap(), id)
            });
            rows
        };
        let instants =
            |rows: &[Value]| -> Vec<Value> { rows.iter().map(|r| r["createdAt"].clone()).collect() };
        let expected = sorted(&scan.responses());
        self.equal("responses", &sorted(&found), &expected);
        assert_eq!(instants(&found), instants(&expected), "{}", self.shown);
        for row in found {
            if rng.chance(90) {
                continue;
            }
            let id = row["responseId"].as_str().unwrap();
            let path = format!("/responses/details?responseId={id}");
            let details = self
                .workspace
                .world
                .get(&self.workspace.account, &path)
                .await
                .ok();
            self.equal("details", &[details["data"].clone()], &[scan.response(id)]);
        }
    }

    /// Compares the table of every endpoint with its rows on all pages.
    async fn tables(&self, scan: &ResponseScan<'_>, rng: &mut SeededRng) {
        let (world, account) = (&self.workspace.world, &self.workspace.account);
        let brands: Vec<_> = scan.brands().into_iter().collect();
        let cited = (!brands.is_empty()).then(|| format!("&citedEntityUuid={}", rng.choose(&brands)));
        let mut paged = vec![
            ("/entities/citations", String::new()),
            ("/entities/competitors", String::new()),
            ("/query-fanouts", String::new()),
            ("/query-fanouts", "&search=CRM".to_owned()),
            ("/responses", String::new()),
        ];
        paged.extend(cited.map(|more| ("/entities/citations/details", more)));
        for (path, more) in paged {
            let query = format!("{path}?{}{more}", self.query);
            assert_same_rows(
                path,
                &table(world, account, &query).await,
                &self.rows(path, &more).await,
            );
        }
        for path in [
            "/trends/visibility",
            "/trends/citations",
            "/trends/compare",
            "/entities/prompts",
        ] {
            let json = self.get(path, "").await;
            let rows = match path {
                "/trends/citations" => rows_of_citation_trend(&json),
                "/trends/compare" => rows_of_comparison(&json),
                _ => json["data"].as_array().unwrap().clone(),
            };
            let query = format!("{path}?{}", self.query);
            assert_same_rows(path, &table(world, account, &query).await, &rows);
        }
    }

    async fn prompts(&self, scan: &ResponseScan<'_>) {
        let listed = self.get("/entities/prompts", "").await;
        let stats = |row: &Value| json!({"id": row["id"], "stats": row["stats"]});
        let found: Vec<Value> = listed["data"].as_array().unwrap().iter().map(stats).collect();
        self.equal("prompts", &found, &scan.prompts());
    }
}
