//! `GET /entities/actions`: the rows of a board and their order.

use acceptance::{candidate, candidates};
use domain::clock::Clock;
use domain::id::{ActionableId, EntityId};
use domain::time::SECOND;
use serde_json::json;
use store::ReplyRecorder;

use super::{BoardFixture, numbers};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_empty_board_has_nothing() {
    let fixture = BoardFixture::new(0).await;
    assert_eq!(fixture.listed("").await, json!({"actionables": [], "tasks": []}));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn actionables_come_by_priority_then_newest_first_and_the_status_chooses_among_them_only() {
    let fixture = BoardFixture::new(5).await;
    let id: EntityId = fixture.entity.parse().unwrap();
    let clock = &fixture.world.host.clock;
    clock.advance_to(clock.now() + SECOND);
    fixture.refill(2, &candidates(&id, 8)).await;

    // High: 1, 4, 7; medium: 2, 5, 8; low: 3, 6.
    assert_eq!(numbers(&fixture.actionables("").await), [7, 4, 1, 8, 5, 2, 6, 3]);
    fixture.dismiss(4).await.ok();
    fixture.create_task(8).await;
    fixture.create_task(1).await;
    for (status, shown) in [
        ("", vec![7, 4, 1, 8, 5, 2, 6, 3]),
        ("active", vec![7, 5, 2, 6, 3]),
        ("dismissed", vec![4]),
        ("in_task", vec![1, 8]),
    ] {
        let listed = fixture.listed(&format!("status={status}")).await;
        let actionables = listed["actionables"].as_array().unwrap();
        assert_eq!(numbers(actionables), shown, "{status}");
        assert_eq!(listed["tasks"].as_array().unwrap().len(), 2, "{status}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_limit_pages_the_actionables_and_the_tasks_each_and_without_it_all_are_listed() {
    let fixture = BoardFixture::new(8).await;
    for ordinal in [1, 2, 3] {
        fixture.create_task(ordinal).await;
    }
    let get = async |more: &str| {
        let path = format!("/entities/actions?entityId={}{more}", fixture.entity);
        fixture.world.get(&fixture.account, &path).await
    };
    let all = get("").await.ok();
    assert!(all.get("pagination").is_none(), "{all}");
    assert_eq!(all["counts"], json!({"actionables": 8, "tasks": 3}));
    for list in ["actionables", "tasks"] {
        let rows = all["data"][list].as_array().unwrap();
        for (limit, offset) in [(2, 0), (2, 2), (3, 7), (100, 0), (1, 1_000)] {
            let page = get(&format!("&limit={limit}&offset={offset}")).await.ok();
            let expected: Vec<_> = rows.iter().skip(offset).take(limit).cloned().collect();
            assert_eq!(page["data"][list], json!(expected), "{list} {limit} {offset}");
            assert_eq!(page["counts"][list], expected.len());
            let pagination = json!({"total": rows.len(), "limit": limit, "offset": offset});
            assert_eq!(page["pagination"][list], pagination);
        }
    }
    let selected = get("&limit=1&status=in_task").await.ok();
    assert_eq!(selected["pagination"]["actionables"]["total"], 3);
    assert_eq!(get("&limit=1").await.ok()["pagination"]["tasks"]["offset"], 0);
    let alone = get("&offset=1").await.error(400);
    assert_eq!(alone, "offset must be given together with limit");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_actionable_shows_its_recommendation_with_the_evidence() {
    let fixture = BoardFixture::new(1).await;
    let rows = fixture.actionables("").await;
    let id: EntityId = fixture.entity.parse().unwrap();
    let recommendation = candidate(&id, 1, 999).recommendation;
    let now = fixture.world.host.clock.now().as_millis();
    let at = rows[0]["createdAt"].as_i64().unwrap();
    assert!((now - 60_000..=now).contains(&at));
    assert_eq!(
        rows[0],
        json!({
            "id": fixture.actionable(1), "title": "Title 1", "description": "Description 1",
            "category": "visibility", "priority": "high", "sourceType": "low_visibility", "status": "active",
            "metadata": recommendation.evidence, "createdAt": at, "updatedAt": at,
        })
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_board_of_several_pages_is_listed_whole() {
    let fixture = BoardFixture::new(0).await;
    let id: EntityId = fixture.entity.parse().unwrap();
    let (store, tenant) = (&fixture.world.host.store, &fixture.account.tenant);
    // Two rounds of 30, each with 20 KiB: as actionables and again as tasks they make 2.3 MiB.
    for round in 0..2 {
        let mut candidates: Vec<_> = (1..=30).map(|n| candidate(&id, 30 * round + n, 1)).collect();
        for cause in &mut candidates {
            cause.recommendation.description = "long ".repeat(4 * 1024);
        }
        fixture.refill(round + 2, &candidates).await;
        for ordinal in 30 * round + 1..=30 * round + 30 {
            let actionable = ActionableId {
                entity: id,
                ordinal: ordinal.into(),
            };
            let task = store
                .create_task(tenant, &actionable, &[], &ReplyRecorder::disabled())
                .await;
            task.unwrap();
        }
    }
    let listed = fixture.listed("").await;
    assert!(listed.to_string().len() > 2 * 1024 * 1024);
    assert_eq!(listed["actionables"].as_array().unwrap().len(), 60);
    assert_eq!(listed["tasks"].as_array().unwrap().len(), 60);
}
