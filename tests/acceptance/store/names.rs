//! An entity has at most one pending name request, and each request is reviewed once.

use domain::entity::{Entity, TrackingType};
use domain::name_request::{ReviewDecision, ReviewStatus};
use domain::target::Target;
use domain::time::{HOUR, MILLISECOND};
use store::{
    NameRequestError, NewEntity, NewNameRequest, ReplyRecorder, ReviewError, TakenName, Tenant, Trigger,
};

use super::table::{NOON, Table, models, new_entity, refused};

/// Returns an individual without a domain.
pub(super) fn person(tenant: &Tenant, name: &str) -> NewEntity {
    let target = Target::individual("name", name).unwrap();
    NewEntity {
        name: name.to_owned(),
        brand: target.brand_uuid(tenant.workspace(), name),
        target,
        tracking_type: TrackingType::Individual,
        ..new_entity(tenant, "unused.example", 0, &models(1))
    }
}

pub(super) fn new_name_request(name: &str) -> NewNameRequest {
    NewNameRequest {
        name: name.to_owned(),
        aliases: None,
        reason: String::new(),
    }
}

async fn ask(table: &Table, tenant: &Tenant, entity: &Entity, name: &str) -> Result<(), NameRequestError> {
    let (request, once) = (new_name_request(name), ReplyRecorder::disabled());
    let filed = table
        .store
        .request_name(tenant, &entity.id, &request, &once)
        .await;
    refused(filed).map(|_| ())
}

async fn review(
    table: &Table,
    tenant: &Tenant,
    entity: &Entity,
    verdict: ReviewDecision,
) -> Result<ReviewStatus, ReviewError> {
    let reviewed = table.store.review_name(tenant, &entity.id, verdict, "").await;
    refused(reviewed).map(|request| request.status)
}

#[tokio::test]
async fn one_of_many_reviews_at_once_counts() {
    let table = Table::start().await;
    let tenant = table.tenant(0).await;
    let entity = table.entity(&tenant, "acme.com", 0, 1).await;
    for round in 0..4 {
        ask(&table, &tenant, &entity, &format!("Name {round}"))
            .await
            .unwrap();
        let before = table.read_entity(&tenant, &entity.id).await;
        let verdicts = [ReviewDecision::Approve, ReviewDecision::Reject].repeat(4);
        let all = verdicts
            .iter()
            .map(|verdict| review(&table, &tenant, &entity, *verdict));
        let results = futures::future::join_all(all).await;
        let done: Vec<ReviewStatus> = results.iter().filter_map(|r| r.as_ref().ok().copied()).collect();
        assert_eq!(done.len(), 1, "{results:?}");
        assert_eq!(
            results
                .iter()
                .filter(|r| **r == Err(ReviewError::NotPending))
                .count(),
            7
        );
        let seen = table.read_entity(&tenant, &entity.id).await;
        assert_eq!(seen.name != before.name, done[0] == ReviewStatus::Approved);
        assert_eq!(seen.revision, before.revision + 1);
    }
}

#[tokio::test]
async fn requests_with_equal_times_keep_their_order_and_are_listed_newest_first() {
    let table = Table::start().await;
    let tenant = table.tenant(0).await;
    let acme = table.entity(&tenant, "acme.com", 0, 1).await;
    let other = table.entity(&tenant, "other.com", 0, 1).await;
    for name in ["First", "Second", "Third"] {
        ask(&table, &tenant, &acme, name).await.unwrap();
        review(&table, &tenant, &acme, ReviewDecision::Reject)
            .await
            .unwrap();
    }
    // The clock is set back.
    table.set_back(HOUR);
    ask(&table, &tenant, &acme, "Fourth").await.unwrap();
    table.advance(HOUR + 5 * MILLISECOND);
    ask(&table, &tenant, &other, "Else").await.unwrap();
    let requests = table.store.name_requests(&tenant).await.unwrap();
    let names: Vec<&str> = requests.iter().map(|r| r.suggested_name.as_str()).collect();
    assert_eq!(names, ["Else", "Fourth", "Third", "Second", "First"]);
    let times: Vec<i64> = requests
        .iter()
        .map(|r| r.created_at.as_millis() - NOON.as_millis())
        .collect();
    assert_eq!(times, [5, 3, 2, 1, 0]);
    assert_eq!((&requests[0].entity, &requests[1].entity), (&other.id, &acme.id));
}

#[tokio::test]
async fn a_person_is_not_renamed_to_a_tracked_person_and_the_request_stays() {
    let table = Table::start().await;
    let tenant = table.tenant(0).await;
    let once = ReplyRecorder::disabled();
    let mut people = Vec::new();
    for name in ["Jane", "Joan"] {
        let new = person(&tenant, name);
        let created = table.store.create_entity(&tenant, &new, None, &once).await;
        people.push(created.unwrap().entity);
        if name == "Jane" {
            ask(&table, &tenant, &people[0], "JOAN").await.unwrap();
        }
    }
    let before = table.items().await;
    let refused = review(&table, &tenant, &people[0], ReviewDecision::Approve).await;
    let taken = TakenName("JOAN".to_owned());
    assert_eq!(refused, Err(ReviewError::NameTaken(taken)));
    assert_eq!(table.items().await, before);

    // The name is free once the other person has another name, and not the old one as an alias.
    let request = NewNameRequest {
        aliases: Some(Vec::new()),
        ..new_name_request("Jo")
    };
    let (jo, once) = (&people[1].id, ReplyRecorder::disabled());
    table
        .store
        .request_name(&tenant, jo, &request, &once)
        .await
        .unwrap();
    review(&table, &tenant, &people[1], ReviewDecision::Approve)
        .await
        .unwrap();
    review(&table, &tenant, &people[0], ReviewDecision::Approve)
        .await
        .unwrap();
    let (jane, joan) = (
        table.read_entity(&tenant, &people[0].id).await,
        table.read_entity(&tenant, &people[1].id).await,
    );
    assert_eq!((jane.target.as_str(), joan.target.as_str()), ("JOAN", "Jo"));
    assert_eq!((jane.brand, joan.brand), (people[0].brand, people[1].brand));
}

#[tokio::test]
async fn a_concurrent_approval_and_claim_are_both_kept_and_the_next_plan_has_both_names() {
    let table = Table::start().await;
    let tenant = table.tenant(1_000).await;
    let entity = table.entity(&tenant, "acme.com", 1, 1).await;
    ask(&table, &tenant, &entity, "Nimbra").await.unwrap();
    let (approved, claimed) = futures::join!(
        review(&table, &tenant, &entity, ReviewDecision::Approve),
        table.claim(&tenant, &entity.id, Trigger::Request),
    );
    assert!(approved.is_ok() && claimed.is_ok());
    let seen = table.read_entity(&tenant, &entity.id).await;
    assert_eq!((seen.name.as_str(), seen.check_seq.get()), ("Nimbra", 1));
    table
        .store
        .abandon_check(&tenant, &entity.id, 1.into())
        .await
        .unwrap();
    let (_, plan) = table.claimed(&tenant, &entity.id).await;
    assert_eq!(plan.brands[0].name, "Nimbra");
    assert_eq!(plan.brands[0].aliases, ["acme"]);
}
