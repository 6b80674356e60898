//! Targets and name requests stay consistent under concurrency and faults.

use std::collections::BTreeMap;

use acceptance::{Fault, SeededRng};
use domain::entity::{Entity, EntityUpdate, TrackingType};
use domain::name_request::{NameRequest, ReviewDecision, ReviewStatus};
use domain::target::Target;
use futures::StreamExt;
use proptest::prelude::*;
use store::{NewEntity, NewNameRequest, ReplyRecorder, StoreError, Tenant};

use super::table::{Table, catalogue, done, models, new_entity};

/// Returns an individual without a domain.
pub(crate) fn person(tenant: &Tenant, name: &str) -> NewEntity {
    let target = Target::individual("name", name).unwrap();
    NewEntity {
        name: name.to_owned(),
        brand: target.brand_uuid(tenant.workspace(), name),
        target,
        tracking_type: TrackingType::Individual,
        ..new_entity(tenant, "unused.example", 0, &models(1))
    }
}

pub(crate) fn new_name_request(name: &str) -> NewNameRequest {
    NewNameRequest {
        name: name.to_owned(),
        aliases: None,
        reason: String::new(),
    }
}

/// Asserts that each entity owns exactly its target, that requests are in order, and that at most the last
/// one is pending. Returns the requests of each entity, oldest first.
pub(crate) async fn consistent(table: &Table, tenant: &Tenant) -> BTreeMap<String, Vec<NameRequest>> {
    let entities = table.store.entities(tenant).await.unwrap();
    let mut wanted = BTreeMap::new();
    let mut requests: BTreeMap<String, Vec<NameRequest>> = BTreeMap::new();
    let all = table.store.name_requests(tenant).await.unwrap();
    assert!(all.is_sorted_by_key(|request| std::cmp::Reverse(request.created_at)));
    for request in all.into_iter().rev() {
        requests
            .entry(request.entity.to_string())
            .or_default()
            .push(request);
    }
    for entity in &entities {
        let target = entity.parse_stored_target().unwrap();
        if entity.domain.is_none() {
            assert_eq!(entity.target, entity.name);
        }
        assert!(!entity.aliases.contains(&entity.name));
        wanted.insert(
            format!("TARGET#{}", target.uniqueness_key()),
            entity.id.to_string(),
        );
        let own = requests.get(entity.id.as_str()).map_or(&[][..], Vec::as_slice);
        assert!(own.is_sorted_by(|a, b| a.created_at < b.created_at));
        assert_eq!(entity.last_name_request, own.last().map(|last| last.created_at));
        let last = table.store.last_name_request(tenant, entity).await.unwrap();
        assert_eq!(last.as_ref(), own.last());
        for (place, request) in own.iter().enumerate() {
            assert!(!request.is_pending() || place + 1 == own.len(), "{own:?}");
            assert_eq!(request.is_pending(), request.reviewed_at.is_none());
            assert_eq!(request.is_pending(), request.review_note.is_none());
        }
        let approved = own.iter().rfind(|r| r.status == ReviewStatus::Approved);
        if let Some(approved) = approved {
            assert_eq!(entity.name, approved.suggested_name);
        }
    }
    let items = table.items().await;
    let targets = items.iter().filter(|((_, sk), _)| sk.starts_with("TARGET#"));
    let targets: BTreeMap<String, String> = targets
        .map(|((_, sk), item)| (sk.clone(), item["entity"].as_s().unwrap().clone()))
        .collect();
    assert_eq!(targets, wanted);
    requests
}

/// A change that a job makes to an entity.
#[derive(Debug, Clone)]
enum Job {
    Move(&'static str),
    Ask(&'static str),
    Review(ReviewDecision),
}

/// Runs a job. Returns whether it took effect, or an error if its effect is unknown.
async fn run(table: &Table, tenant: &Tenant, entity: &Entity, job: &Job) -> Result<bool, StoreError> {
    let store = &table.store;
    match job {
        Job::Move(path) => {
            let change = EntityUpdate {
                target: Some(Target::parse_domain("target", path).unwrap()),
                ..EntityUpdate::default()
            };
            let changed = store
                .update_entity(tenant, &entity.id, &change, &catalogue())
                .await;
            Ok(done(changed)?.is_some())
        }
        Job::Ask(name) => {
            let filed = store
                .request_name(
                    tenant,
                    &entity.id,
                    &new_name_request(name),
                    &ReplyRecorder::disabled(),
                )
                .await;
            Ok(done(filed)?.is_some())
        }
        Job::Review(verdict) => {
            let reviewed = store.review_name(tenant, &entity.id, *verdict, "").await;
            Ok(done(reviewed)?.is_some())
        }
    }
}

/// Changes the targets and names of four entities, four at a time, with a fault on every fifth call.
async fn change_under_faults(seed: u64) {
    let table = Table::start().await;
    let tenant = table.tenant(0).await;
    let mut entities = Vec::new();
    for new in [
        new_entity(&tenant, "acme.com", 0, &models(1)),
        new_entity(&tenant, "shop.acme.com", 0, &models(1)),
        person(&tenant, "Jane"),
        person(&tenant, "Joan"),
    ] {
        let created = table
            .store
            .create_entity(&tenant, &new, None, &ReplyRecorder::disabled())
            .await;
        entities.push(created.unwrap().entity);
    }
    table.faults.random(seed, 200, &Fault::TRANSIENT);
    let mut rng = SeededRng::new(seed);
    let jobs: Vec<(usize, Job)> = (0..24)
        .map(|_| {
            let job = match rng.below(5) {
                0 => Job::Move(rng.choose::<&str>(&["acme.com", "shop.acme.com", "acme.com/a"])),
                1 | 2 => Job::Ask(rng.choose::<&str>(&["Jane", "Joan", "Jo", "JO"])),
                3 => Job::Review(ReviewDecision::Approve),
                _ => Job::Review(ReviewDecision::Reject),
            };
            (rng.below(4) as usize, job)
        })
        .collect();
    let results: Vec<(Job, Result<bool, StoreError>)> = futures::stream::iter(jobs)
        .map(|(place, job)| {
            let (table, tenant, entity) = (&table, &tenant, &entities[place]);
            async move {
                let result = run(table, tenant, entity, &job).await;
                (job, result)
            }
        })
        .buffer_unordered(4)
        .collect()
        .await;
    table.faults.none();

    let requests: Vec<NameRequest> = consistent(&table, &tenant)
        .await
        .into_values()
        .flatten()
        .collect();
    let at_least_and_most = |of: fn(&Job) -> bool| {
        let of_kind = || results.iter().filter(|(job, _)| of(job));
        let done = of_kind().filter(|(_, result)| matches!(result, Ok(true))).count();
        done..=done + of_kind().filter(|(_, result)| result.is_err()).count()
    };
    let filed = at_least_and_most(|job| matches!(job, Job::Ask(_)));
    assert!(filed.contains(&requests.len()), "{filed:?}");
    let reviewed = requests.iter().filter(|request| !request.is_pending()).count();
    let expected = at_least_and_most(|job| matches!(job, Job::Review(_)));
    assert!(expected.contains(&reviewed), "{reviewed} of {expected:?}");
    for error in results.iter().filter_map(|(_, result)| result.as_ref().err()) {
        assert!(error.is_transient(), "{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn targets_and_requests_are_consistent_whatever_calls_fail(seed: u64) {
        tokio::runtime::Runtime::new().unwrap().block_on(change_under_faults(seed));
    }
}
