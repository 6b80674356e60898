//! What is true of the facts of running and of ended checks.

use std::collections::{BTreeMap, BTreeSet};

use domain::cell::Cell;
use domain::check::{CheckState, brand_names};
use domain::check_key::CheckKey;
use domain::family::Family;
use domain::ordinal::CheckNumber;
use domain::period::DateRange;
use domain::reading::Reading;
use facts::families::{Responses, Visibility, encode_check};
use store::FactIndex;

use crate::rereading::twin::Twin;

impl Twin {
    async fn fact_index(&self) -> FactIndex {
        let (store, tenant) = (&self.fixture.table.store, &self.fixture.tenant);
        let range = DateRange::last_30_days(self.fixture.table.now().day());
        let index = store
            .fact_index(tenant, &self.fixture.entity, &[range], store::Consistency::Strong)
            .await;
        index.unwrap()
    }

    /// Returns the segments of a family that the index names, by check. The buckets of links follow each
    /// other.
    async fn indexed_segments(&self, family: Family) -> BTreeMap<CheckKey, Vec<Vec<u8>>> {
        let (store, tenant, entity) = (
            &self.fixture.table.store,
            &self.fixture.tenant,
            &self.fixture.entity,
        );
        let indexed = self.fact_index().await.segments_of(family).unwrap();
        let segments: Vec<(CheckKey, Vec<u8>)> = if family == Family::Links {
            let all = indexed
                .iter()
                .flat_map(|(check, links)| links.all_buckets(*check));
            let read = store
                .buckets(tenant, entity, Family::Links, all.collect())
                .await
                .unwrap();
            read.into_iter()
                .map(|((check, _), bytes)| (check, bytes))
                .collect()
        } else {
            let read = store.segments(tenant, entity, family, &indexed);
            read.await.unwrap()
        };
        let mut by_check = BTreeMap::<_, Vec<_>>::new();
        for (check, bytes) in segments {
            by_check.entry(check).or_default().push(bytes);
        }
        by_check
    }

    /// Asserts that the families count the same responses, also while a check runs.
    pub(super) async fn assert_families_agree(&self) {
        let visibility = self.indexed_segments(Family::Visibility).await;
        let responses = self.indexed_segments(Family::Responses).await;
        assert_eq!(visibility.len(), responses.len());
        for (check, segment) in visibility {
            let read: BTreeSet<Cell> = Visibility::decode(&segment[0])
                .unwrap()
                .cells()
                .map(|cell| Cell {
                    prompt: cell.prompt,
                    model: cell.model,
                })
                .collect();
            let listed: BTreeSet<Cell> = Responses::decode(&responses[&check][0])
                .unwrap()
                .rows()
                .map(|row| Cell {
                    prompt: row.prompt,
                    model: row.model,
                })
                .collect();
            assert_eq!(read, listed, "{check:?}");
        }
    }

    /// Asserts that all checks have ended, that their facts are those of the recorded responses, and that all
    /// answers were read by the current names.
    pub(super) async fn audit_facts(&self) {
        let (store, tenant, entity) = (
            &self.fixture.table.store,
            &self.fixture.tenant,
            &self.fixture.entity,
        );
        let mut expected = BTreeMap::<Family, BTreeMap<CheckKey, Vec<Vec<u8>>>>::new();
        let last = self.fixture.read_entity().await.check_seq;
        for number in (1..=last.get()).map(CheckNumber::new) {
            let check = store.check(tenant, entity, number).await.unwrap().unwrap();
            assert_ne!(check.state, CheckState::Running);
            let responses = store.responses_of(tenant, entity, check.key()).await.unwrap();
            let folded = encode_check(&responses);
            for (family, bytes) in [
                (Family::Visibility, vec![folded.visibility]),
                (Family::Citations, vec![folded.citations]),
                (Family::Fanouts, vec![folded.fanouts]),
                (Family::Responses, vec![folded.responses]),
                (Family::Links, folded.links),
            ] {
                expected.entry(family).or_default().insert(check.key(), bytes);
            }
        }
        for (family, expected) in expected {
            assert!(self.indexed_segments(family).await == expected, "{family:?}");
        }
        let index = self.fact_index().await;
        let current = store.current_brands(tenant).await.unwrap();
        let current = Reading::of(&brand_names(&current));
        for (check, entry) in index.checks().unwrap() {
            assert!(!entry.is_interim, "{check:?} has ended");
            assert!(entry.has_reading(current), "{check:?}: {entry:?}");
        }
    }

    /// Returns when each stored part of a segment expires, by its key.
    pub(super) async fn segment_expiries(&self) -> BTreeMap<(String, String), i64> {
        let partition = format!("#E#{}#F#", self.fixture.entity);
        let items = self.fixture.table.items().await.into_iter();
        let parts = items.filter(|((pk, _), _)| pk.contains(&partition));
        let expiry = |item: &acceptance::Item| item["expiresAt"].as_n().unwrap().parse().unwrap();
        parts.map(|(key, item)| (key, expiry(&item))).collect()
    }
}
