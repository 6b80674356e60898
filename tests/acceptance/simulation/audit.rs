//! The invariants that hold when a run has ended.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use domain::answer::ResponseState;
use domain::cell::Cell;
use domain::check::{Check, CheckState, Plan, Response, brand_names};
use domain::clock::Clock;
use domain::entity::Entity;
use domain::family::Family;
use domain::id::EntityId;
use domain::limits::{LEASE, MAX_RECONCILIATION_INTERVAL, PAUSE_JITTER, PROBE_RETRY, PROVIDER_PAUSE};
use domain::ordinal::{CheckNumber, ModelOrdinal, PromptOrdinal};
use domain::period::DateRange;
use domain::reading::Reading;
use facts::families::encode_check;

use super::run::Run;

/// A check is answered completely if its deadline is at least this far away when the faults end: the pause of
/// a provider, a reconciliation, a lease and a probe.
const MIN_TIME_TO_COMPLETE: Duration = PROVIDER_PAUSE
    .saturating_add(MAX_RECONCILIATION_INTERVAL)
    .saturating_add(LEASE.saturating_mul(2))
    .saturating_add(PAUSE_JITTER.saturating_add(PROBE_RETRY).saturating_mul(2));

/// The maximum number of violated invariants that a failure shows.
const MAX_SHOWN_VIOLATIONS: usize = 5;

/// A check that has ended.
struct EndedCheck {
    check: Check,
    plan: Plan,
    responses: Vec<Response>,
}

impl Run {
    /// Asserts the invariants.
    pub(super) async fn audit(&self) {
        let violations = std::mem::take(&mut self.shared.ledger.lock().unwrap().violations);
        assert!(
            violations.is_empty(),
            "{}",
            violations[..violations.len().min(MAX_SHOWN_VIOLATIONS)].join("\n")
        );
        let (mut used, mut is_any_deleted) = (0, false);
        for id in &self.entities {
            let entity = self.store.entity(&self.tenant, id).await.unwrap();
            let checks = self.checks(id).await;
            for ended in &checks {
                used += cost(ended);
                self.audit_answers(id, ended, entity.is_some());
            }
            match entity {
                Some(entity) => {
                    self.audit_entity(&entity, &checks);
                    self.audit_facts(id, &checks).await;
                }
                None => {
                    let left = self.store.entity_or_deleted(&self.tenant, id).await.unwrap();
                    assert!(left.is_none(), "{id} is not cleaned up");
                    assert!(checks.is_empty(), "{id} has checks");
                    is_any_deleted = true;
                }
            }
        }
        let credits = self.store.credits(&self.tenant).await.unwrap();
        // What the checks of a deleted entity have cost is not known any more.
        let used = if is_any_deleted {
            credits.total_used.max(used)
        } else {
            used
        };
        let expected = (self.shared.schedule.credits - used, 0, used);
        let found = (credits.balance, credits.reserved, credits.total_used);
        assert_eq!(found, expected, "balance, reserved, used in total");
    }

    /// Reads the checks of an entity.
    async fn checks(&self, id: &EntityId) -> Vec<EndedCheck> {
        let (store, tenant) = (&self.store, &self.tenant);
        let mut checks = Vec::new();
        for number in (1..).map(CheckNumber::new) {
            let Some(check) = store.check(tenant, id, number).await.unwrap() else {
                break;
            };
            let plan = store.plan(tenant, id, number).await.unwrap().unwrap();
            let responses = store.responses_of(tenant, id, check.key()).await.unwrap();
            checks.push(EndedCheck {
                check,
                plan,
                responses,
            });
        }
        checks
    }

    fn audit_answers(&self, id: &EntityId, ended: &EndedCheck, entity_lives: bool) {
        let (check, name) = (&ended.check, format!("check {} of {id}", ended.check.check));
        assert_ne!(check.state, CheckState::Running, "{name}");
        let questions = |prompt: &PromptOrdinal| {
            let prompt = *prompt;
            let models = ended.plan.models.iter().map(|model| model.ordinal);
            models.map(move |model| Cell { prompt, model })
        };
        let planned: BTreeSet<Cell> = ended.plan.prompts.iter().flat_map(questions).collect();
        let answered: BTreeSet<Cell> = ended.responses.iter().map(Response::cell).collect();
        assert!(
            answered.is_subset(&planned),
            "{name} has answers to what was not asked"
        );
        let is_excused = |prompt: PromptOrdinal| self.withdrawn.contains(&(*id, prompt.get()));
        let open = planned
            .difference(&answered)
            .filter(|cell| !is_excused(cell.prompt));
        if entity_lives {
            assert_eq!(open.count(), 0, "{name} has questions without a response");
        }
        for response in &ended.responses {
            assert_eq!(
                response.state == ResponseState::Failed,
                response.reason.is_some(),
                "{name}: {response:?}"
            );
        }
        let deadline = check.deadline.unwrap_or(check.claimed_at);
        let is_late = deadline < self.faults_ended_at + MIN_TIME_TO_COMPLETE;
        if entity_lives && !is_late {
            assert_eq!(check.state, CheckState::Complete, "{name} had enough time");
        }
    }

    fn audit_entity(&self, entity: &Entity, checks: &[EndedCheck]) {
        let (id, now) = (&entity.id, self.shared.clock.now());
        assert!(entity.running.is_none(), "{id}");
        assert_eq!(entity.check_seq.index(), checks.len(), "{id} misses a check");
        let last = entity.last_check.as_ref().map(|last| last.check);
        assert_eq!(last.unwrap_or_default(), entity.check_seq, "{id}");
        assert_eq!(entity.next_check_at.is_some(), entity.is_active, "{id}");
        if let Some(next) = entity.next_check_at {
            let step = entity.check_interval();
            // The clock may have been set back since the slot was chosen.
            let latest = self.shared.clock.latest();
            assert!(next > now && next <= latest + step, "{id}: {next:?} at {now:?}");
            let since_creation = next.duration_since(entity.created_at);
            let is_on_grid = since_creation.as_millis().is_multiple_of(step.as_millis());
            assert!(is_on_grid || self.reactivated.contains(id), "{id}: {next:?}");
        }
        // A slot that was skipped shows a problem that belongs to no provider, or none if there is nothing to
        // ask.
        let was_skipped = entity.problems.iter().any(|problem| problem.provider.is_none());
        let mut prompts = (1..=entity.prompt_seq.into()).map(|prompt| (*id, prompt));
        if was_skipped || prompts.all(|prompt| self.withdrawn.contains(&prompt)) {
            return;
        }
        let failed = |model: ModelOrdinal| {
            let is_failed = |r: &&Response| r.model == model && r.state == ResponseState::Failed;
            checks
                .last()
                .is_some_and(|ended| ended.responses.iter().any(|r| is_failed(&r)))
        };
        let models = checks.last().map_or(&[][..], |ended| &ended.plan.models);
        let expected: Vec<_> = models
            .iter()
            .filter(|m| failed(m.ordinal))
            .map(|m| Some(m.uuid))
            .collect();
        let found: Vec<_> = entity.problems.iter().map(|problem| problem.model_id).collect();
        assert_eq!(found, expected, "{id}: the models with problems");
    }

    async fn audit_facts(&self, id: &EntityId, checks: &[EndedCheck]) {
        let (store, tenant) = (&self.store, &self.tenant);
        let range = DateRange::last_30_days(self.shared.clock.latest().day());
        let index = store
            .fact_index(tenant, id, &[range], store::Consistency::Strong)
            .await
            .unwrap();
        let keys: Vec<_> = checks.iter().map(|e| e.check.key()).collect();
        let indexed: Vec<_> = index
            .checks()
            .unwrap()
            .into_iter()
            .map(|(check, _)| check)
            .collect();
        assert_eq!(indexed, keys, "{id}: the checks that the index names");
        let current = store.current_brands(tenant).await.unwrap();
        let current = Some(Reading::of(&brand_names(&current)));
        assert!(
            index.readings().all(|(_, reading)| reading == current),
            "{id}: answers that were not read again"
        );
        let folded: Vec<_> = checks
            .iter()
            .map(|ended| encode_check(&ended.responses))
            .collect();
        let mut found = BTreeMap::new();
        for family in [
            Family::Visibility,
            Family::Citations,
            Family::Fanouts,
            Family::Responses,
        ] {
            let indexed = index.segments_of(family).unwrap();
            let segments = store.segments(tenant, id, family, &indexed).await;
            found.extend(
                segments
                    .unwrap()
                    .into_iter()
                    .map(|(check, bytes)| ((check, family), bytes)),
            );
        }
        let indexed = index.segments_of(Family::Links).unwrap();
        let all = indexed
            .iter()
            .flat_map(|(check, links)| links.all_buckets(*check));
        let links = store.buckets(tenant, id, Family::Links, all.collect()).await;
        let links = links.unwrap();
        for (check, folded) in keys.into_iter().zip(folded) {
            let expected = [
                (Family::Visibility, folded.visibility),
                (Family::Citations, folded.citations),
                (Family::Fanouts, folded.fanouts),
                (Family::Responses, folded.responses),
            ];
            for (family, bytes) in expected {
                assert_eq!(found[&(check, family)], bytes, "{id}: {family:?} of {check:?}");
            }
            let buckets = links
                .iter()
                .filter(|((of, _), _)| *of == check)
                .map(|(_, bytes)| bytes);
            assert!(buckets.eq(&folded.links), "{id}: links of {check:?}");
        }
    }
}

/// Returns the credits that the answers of a check cost.
fn cost(ended: &EndedCheck) -> i64 {
    let prices: BTreeMap<ModelOrdinal, u32> =
        ended.plan.models.iter().map(|m| (m.ordinal, m.credits)).collect();
    let answered = ended
        .responses
        .iter()
        .filter(|r| r.state == ResponseState::Answered);
    answered.map(|r| i64::from(prices[&r.model])).sum()
}
