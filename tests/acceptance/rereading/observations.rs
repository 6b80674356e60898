//! What a world shows of its rereading: to clients, and in its table.

use domain::ordinal::BrandOrdinal;
use domain::period::DateRange;
use domain::time::Day;
use serde_json::Value;

use super::twin::Twin;

impl Twin {
    /// Starts a world and lets it answer for some days.
    pub(crate) async fn start_and_run_days(days: usize) -> Self {
        let twin = Self::start().await;
        for _ in 0..days {
            twin.run_day().await;
            twin.next_day();
        }
        twin
    }

    /// Returns what `tracking-status` says about the rereading.
    pub(crate) async fn rereading_status(&self) -> Value {
        let query = format!("entityId={}", self.fixture.entity);
        self.get("/v1/entities/tracking-status", &query).await["data"]["rereading"].clone()
    }

    /// Runs everything that is due, until no more events are published.
    pub(crate) async fn run_due_work(&self) {
        self.fixture.tick().await;
        self.fixture.deliver_published().await;
    }

    /// Returns the distinct readings of each day of the last 30 days.
    pub(crate) async fn readings_by_day(&self) -> Vec<(Day, Vec<String>)> {
        let fixture = &self.fixture;
        let range = DateRange::last_30_days(fixture.table.now().day());
        let store = &fixture.table.store;
        let index = store
            .fact_index(
                &fixture.tenant,
                &fixture.entity,
                &[range],
                store::Consistency::Strong,
            )
            .await
            .unwrap();
        let mut days: Vec<(Day, Vec<String>)> = Vec::new();
        for (check, reading) in index.readings() {
            let reading = reading.map_or_else(String::new, |reading| reading.to_string());
            match days.last_mut().filter(|(day, _)| *day == check.day) {
                Some((_, known)) if known.contains(&reading) => {}
                Some((_, known)) => known.push(reading),
                None => days.push((check.day, vec![reading])),
            }
        }
        days
    }

    /// Returns the brands that each response of each check mentions.
    pub(crate) async fn brands_by_response(&self) -> Vec<Vec<BrandOrdinal>> {
        let (store, tenant, entity) = (
            &self.fixture.table.store,
            &self.fixture.tenant,
            &self.fixture.entity,
        );
        let mut mentions = Vec::new();
        for check in 1..=self.fixture.read_entity().await.check_seq.get() {
            let check = store.check(tenant, entity, check.into()).await.unwrap().unwrap();
            let responses = store.responses_of(tenant, entity, check.key()).await.unwrap();
            mentions.extend(responses.into_iter().map(|response| response.brands));
        }
        mentions
    }

    pub(crate) async fn mention_count(&self) -> u64 {
        let query = format!("entityId={}", self.fixture.entity);
        let trend = self.get("/v1/trends/visibility", &query).await;
        let days = trend["data"].as_array().unwrap();
        days.iter().map(|day| day["mentions"].as_u64().unwrap()).sum()
    }

    pub(crate) async fn counted_since(&self) -> Value {
        let query = format!("entityId={}", self.fixture.entity);
        let mut found = Vec::new();
        for path in [
            "/v1/trends/visibility",
            "/v1/entities/competitors",
            "/v1/entities/prompts",
        ] {
            found.push(self.get(path, &query).await["countedSince"].clone());
        }
        assert!(found.windows(2).all(|pair| pair[0] == pair[1]), "{found:?}");
        found.remove(0)
    }
}
