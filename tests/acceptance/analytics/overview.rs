//! `GET /entities/overview`: each row says what the requests about its entity say.

use acceptance::{Account, World};
use domain::key_scope::{KeyAccess, KeyScope};
use domain::limits::MAX_PAGE_LIMIT;
use domain::metrics::Share;
use reqwest::Method;
use serde_json::{Value, json};
use store::{ReplyRecorder, Trigger};

use super::recorded_checks::record_answered_check;
use super::{TrackedEntity, provider};

/// Returns the row of an entity, put together from the requests about it alone. `range` selects the days.
async fn row(world: &World, account: &Account, entity: &Value, range: &str) -> Value {
    let get = async |path: &str| {
        let separator = if path.contains('?') { '&' } else { '?' };
        let path = format!("{path}{separator}entityId={}", entity["id"].as_str().unwrap());
        world.get(account, &path).await.ok()
    };
    let mut status = get("/entities/tracking-status").await["data"].clone();
    status.as_object_mut().unwrap().remove("rereading");
    let trend = get(&format!("/trends/visibility?{range}")).await["data"].clone();
    let mut share = Share::default();
    for day in trend.as_array().unwrap() {
        share.add(Share {
            mentions: day["mentions"].as_u64().unwrap(),
            responses: day["responses"].as_u64().unwrap(),
        });
    }
    let compared = get(&format!("/trends/compare?metrics=visibility&{range}")).await["data"].clone();
    let competitors = get(&format!("/entities/competitors?{range}")).await;
    let rows = competitors["data"].as_array().unwrap();
    // The own row can be on a later page. What is read here is the same in every row.
    let (all, reason) = (&rows[0]["mentionsOfAllBrands"], &rows[0]["shareOfVoiceReason"]);
    let voice = Share {
        mentions: share.mentions,
        responses: all.as_u64().unwrap(),
    };
    let shown = Some(voice).filter(|_| reason.is_null());
    let open = get("/entities/actions?status=active").await["data"]["actionables"].clone();
    json!({
        "entityId": entity["id"], "entityUuid": entity["entityUuid"], "name": entity["name"], "target": entity["target"],
        "faviconUrl": entity["faviconUrl"],
        "status": status,
        "visibility": {
            "mentions": share.mentions, "responses": share.responses, "score": share.score(), "interval": share.interval(),
        },
        "shareOfVoice": {
            "score": shown.and_then(Share::score), "mentions": voice.mentions, "mentionsOfAllBrands": voice.responses,
            "interval": shown.and_then(Share::interval),
        },
        "shareOfVoiceReason": reason,
        "trend": trend,
        "comparison": compared["comparison"],
        "activeActionables": open.as_array().unwrap().len(),
        "countedSince": compared["countedSince"],
    })
}

/// Asserts that the overview of a workspace is what the requests about its entities say.
pub(super) async fn assert_overview(world: &World, account: &Account, range: &str) -> Value {
    let path = format!("/entities/overview?limit={MAX_PAGE_LIMIT}&{range}");
    let found = world.get(account, &path).await.ok();
    let entities = world.get(account, "/entities").await.ok();
    let entities = entities["data"].as_array().unwrap();
    assert_eq!(found["data"].as_array().unwrap().len(), entities.len(), "{range}");
    assert_eq!(found["pagination"]["totalCount"], entities.len(), "{range}");
    for (found, entity) in found["data"].as_array().unwrap().iter().zip(entities) {
        assert_eq!(*found, row(world, account, entity, range).await, "{range}");
    }
    found
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_overview_follows_checks_recommendations_and_tasks() {
    let tracked = TrackedEntity::new(2, &["Acme? yes", "Other?", "Third?", "Fourth?"]).await;
    let (world, account) = (&tracked.world, &tracked.account);
    let stopped = json!({"startTracking": false});
    world
        .entity(account, "Rival", "rival.example", &[], stopped)
        .await;
    let overview = async || {
        let found = assert_overview(world, account, "period=7d").await;
        found["data"][0].clone()
    };
    let before = overview().await;
    assert_eq!(before["activeActionables"], 0);
    assert_eq!(before["visibility"]["score"], Value::Null);
    assert_eq!(before["comparison"]["verdict"], "too_few_answers");

    tracked.run_check().await;
    tracked.advance_days(1);
    tracked.run_check().await;
    let after = overview().await;
    assert_eq!(after["trend"].as_array().unwrap().len(), 2);
    // The window and the days before it are more than a year, and are read as two ranges.
    let (first, last) = (tracked.today().plus_days(-365), tracked.today());
    assert_overview(world, account, &format!("startDate={first}&endDate={last}")).await;
    let open = after["activeActionables"].as_u64().unwrap();
    assert!(open >= 3, "{open}");

    let path = format!("/entities/actions?status=active&entityId={}", tracked.entity);
    let listed = world.get(account, &path).await.ok();
    let id = |place: usize| json!({"actionableId": listed["data"]["actionables"][place]["id"]});
    let dismissed = world.post(account, "/entities/actions/dismiss", &id(0)).await;
    dismissed.ok();
    let task = world
        .post(account, "/entities/actions/create-task", &id(1))
        .await
        .ok();
    assert_eq!(overview().await["activeActionables"], open - 2);
    let done = json!({"taskId": task["data"]["id"], "status": "done"});
    world
        .post(account, "/entities/actions/update-status", &done)
        .await
        .ok();
    world
        .post(account, "/entities/actions/dismiss", &id(0))
        .await
        .ok();
    assert_eq!(overview().await["activeActionables"], open - 2);

    // The paused prompts of an active entity end its schedule.
    let update = json!({"entityId": tracked.entity, "isActive": true});
    world.patch(account, "/entities", &update).await.ok();
    assert_eq!(overview().await["status"]["scheduled"], true);
    let paused: Vec<Value> = tracked
        .prompt_ids()
        .await
        .iter()
        .map(|id| json!({"promptId": id, "isActive": false}))
        .collect();
    let update = json!({"updates": paused});
    world.patch(account, "/entities/updateprompt", &update).await.ok();
    assert_eq!(overview().await["status"]["scheduled"], false);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_overview_shows_a_check_that_waits() {
    let world = World::asking(&provider().await).await;
    let account = world.account().await;
    let waiting = json!({"startTracking": false});
    let waiting = world
        .entity(&account, "Acme", "acme.com", &["Which?"], waiting)
        .await;
    let (store, once) = (&world.host.store, ReplyRecorder::disabled());
    let catalogue = &world.host.dependencies.api.catalogue;
    // Nobody is told, so that the check stays as it is.
    let id = waiting.parse().unwrap();
    let claim = store.claim_check(&account.tenant, &id, Trigger::Request, catalogue, &once);
    claim.await.unwrap();
    let found = assert_overview(&world, &account, "").await;
    let status = &found["data"][0]["status"];
    assert_eq!(status["isProcessing"], true);
    assert!(status["queued"]["since"].is_string());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_overview_has_pages_and_only_what_the_key_reaches() {
    let world = World::asking(&provider().await).await;
    let account = world.account().await;
    let stopped = || json!({"startTracking": false});
    let mut ids = Vec::new();
    for name in ["one", "two", "three"] {
        let domain = format!("{name}.example");
        ids.push(
            world
                .entity(&account, name, &domain, &["Which?"], stopped())
                .await,
        );
    }
    for id in &ids {
        record_answered_check(&world, &account, id).await;
    }
    let grouped = json!({"entities": [ids[0], ids[1]], "primaryEntity": ids[0]});
    world.post(&account, "/domain-groups", &grouped).await.ok();
    let all = assert_overview(&world, &account, "").await;
    let answers = |row: &Value| row["visibility"]["responses"].as_u64().unwrap();
    let rows = all["data"].as_array().unwrap();
    // The answers of both members of a group count for each.
    assert!(answers(&rows[0]) == answers(&rows[1]) && answers(&rows[0]) == 2 * answers(&rows[2]));

    let page = world
        .get(&account, "/entities/overview?limit=2&offset=1")
        .await
        .ok();
    assert_eq!(page["data"].as_array().unwrap()[..], rows[1..]);
    assert_eq!(page["pagination"]["hasNextPage"], false);
    let beyond = world.get(&account, "/entities/overview?offset=3").await.ok();
    assert_eq!(beyond["data"], json!([]));

    let scope = KeyScope {
        access: KeyAccess::Read,
        entities: Some([ids[1].parse().unwrap()].into()),
    };
    let bound = world.account_with_scope(&account, scope).await;
    let seen = assert_overview(&world, &bound, "").await;
    assert_eq!(seen["data"][0]["entityId"], ids[1]);
    assert_eq!(answers(&seen["data"][0]), answers(&rows[2]));

    let other = world.account().await;
    let none = assert_overview(&world, &other, "").await;
    assert_eq!(
        (&none["data"], &none["pagination"]["totalPages"]),
        (&json!([]), &json!(0))
    );
    let nobody = world.send(None, Method::GET, "/entities/overview", None).await;
    assert_eq!(nobody.error(401), "Missing API key");
    let early = world
        .get(
            &account,
            "/entities/overview?startDate=1970-01-01&endDate=1970-01-20",
        )
        .await;
    assert_eq!(
        early.error(400),
        "startDate must be after 1970-01-01, so that there are days before it"
    );
}
