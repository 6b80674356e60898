//! Concurrent writes: only rules refuse them, and the usage counter stays consistent.

use std::collections::{BTreeMap, BTreeSet};

use acceptance::{Account, SeededRng, World};
use serde_json::{Value, json};

use super::{change, cited, create, delete, entity, limited, list, used};

/// Asserts that each brand is in at most one group and that the usage equals the number of entities.
async fn assert_consistent(world: &World, account: &Account) {
    let groups = list(world, account, "").await;
    let entities = world.get(account, "/entities").await.ok();
    let mut seen = BTreeSet::new();
    let mut counted = entities["count"].as_u64().unwrap();
    for member in groups.iter().flat_map(|g| g["entities"].as_array().unwrap()) {
        assert!(
            seen.insert(member["entityUuid"].to_string()),
            "in two groups: {member}"
        );
        counted += u64::from(member["inWorkspace"] == false && member["isPrimary"] == false);
    }
    assert_eq!(used(world, account).await, counted);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fifty_groups_at_once_over_overlapping_entities_leave_each_in_at_most_one() {
    let world = World::start().await;
    let account = limited(&world, 9).await;
    let mut brands = Vec::new();
    for n in 0..6 {
        brands.push(entity(&world, &account, &format!("Site {n}"), &format!("site{n}.com")).await);
    }
    let domains: Vec<String> = (0..12).map(|n| format!("seen{n}.com")).collect();
    let domains: Vec<&str> = domains.iter().map(String::as_str).collect();
    brands.extend(cited(&world, &account, &domains).await);

    let mut rng = SeededRng::new(7);
    let bodies: Vec<Value> = (0..50)
        .map(|n| {
            let mut entities: Vec<&str> = (0..2 + rng.below(3))
                .map(|_| rng.choose(&brands).as_str())
                .collect();
            entities.push(&brands[n % brands.len()]);
            entities.push(&brands[(n + 7) % brands.len()]);
            let scope = rng.chance(30).then(|| brands[rng.below(6) as usize].clone());
            json!({"primaryEntity": entities[0], "entities": entities, "entityId": scope})
        })
        .collect();
    let creations = bodies.iter().map(|body| create(&world, &account, body.clone()));
    let answers = futures::future::join_all(creations).await;
    let mut statuses: BTreeMap<u16, usize> = BTreeMap::new();
    for answer in &answers {
        *statuses.entry(answer.status).or_default() += 1;
    }
    assert!(
        statuses.keys().all(|status| [200, 403, 409].contains(status)),
        "{statuses:?}"
    );
    assert_consistent(&world, &account).await;
    let groups = list(&world, &account, "").await;
    assert!(!groups.is_empty());
    assert_eq!(statuses[&200], groups.len());

    // Update, delete and create entities concurrently.
    let jobs = (0..40).map(|n| {
        let (world, account) = (&world, &account);
        let id = groups[n % groups.len()]["id"].clone();
        let one = rng.choose(&brands).clone();
        let other = rng.choose(&brands).clone();
        let (choice, model) = (rng.below(10), world.model(account));
        async move {
            match choice {
                0 => delete(world, account, id.as_str().unwrap()).await,
                1..=3 => {
                    let model = model.await;
                    let new = json!({
                        "name": "Seen", "domain": format!("seen{}.com", n % 12), "models": [model], "prompts": [],
                    });
                    world.post(account, "/entities", &new).await
                }
                4 => change(world, account, json!({"groupId": id, "primaryEntity": one})).await,
                5 => create(world, account, json!({"primaryEntity": one, "entities": [one, other]})).await,
                _ => {
                    let body = json!({"groupId": id, "primaryEntity": one, "entities": [one, other]});
                    change(world, account, body).await
                }
            }
        }
    });
    for answer in futures::future::join_all(jobs).await {
        let expected = [200, 400, 403, 404, 409];
        assert!(expected.contains(&answer.status), "{}", answer.body);
    }
    assert_consistent(&world, &account).await;
}
