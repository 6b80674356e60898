//! Which segments requests read.

use std::collections::BTreeMap;

use acceptance::{AwsCall, SeededRng};
use domain::answer::Citation;
use domain::check::Response;
use domain::check_key::CheckKey;
use domain::family::Family;
use domain::id::EntityId;
use facts::families::encode_check;
use serde_json::Value;
use store::{FactsKind, ReplyRecorder, Tenant};

use super::groups::new_group;
use super::reads::get;
use super::table::{Table, answered, no_limits};

/// Returns the calls that concern a partition whose name ends with `suffix`.
fn calls_to<'c>(calls: &'c [AwsCall], suffix: &str) -> Vec<&'c str> {
    let end = format!("{suffix}\"");
    let is_of = |call: &&AwsCall| call.request.to_string().contains(&end);
    calls
        .iter()
        .filter(is_of)
        .map(|call| call.operation.as_str())
        .collect()
}

/// Returns answers of two models that cite pages of 400 domains, and their citations of some domains by
/// prompt.
fn answers(prompts: u32, own: &[&str], table: &Table) -> (Vec<Response>, Vec<u64>) {
    let mut rng = SeededRng::new(7);
    let (mut responses, mut cited) = (Vec::new(), vec![0; prompts as usize + 1]);
    for prompt in 1..=prompts {
        for model in 0..2 {
            let mut urls: Vec<String> = (0..40)
                .map(|_| format!("https://site{}.com/page{}", rng.below(400), rng.below(100_000)))
                .collect();
            urls.extend(
                rng.chance(30)
                    .then(|| format!("https://docs.acme.com/{}", rng.below(3))),
            );
            let mut response = answered(prompt, model, "", table.now());
            // A URL that an answer cites twice counts once.
            urls.push(urls[0].clone());
            urls.sort();
            let citation = |url: &String| Citation {
                url: url.clone(),
                title: None,
                ..Default::default()
            };
            response.citations = urls.iter().map(citation).collect();
            urls.dedup();
            let is_own = |url: &&String| {
                own.iter().any(|domain| {
                    url.contains(&format!("/{domain}/")) || url.contains(&format!(".{domain}/"))
                })
            };
            cited[prompt as usize] += urls.iter().filter(is_own).count() as u64;
            responses.push(response);
        }
    }
    (responses, cited)
}

/// Writes the segments of a check of today.
async fn add_answers(table: &Table, tenant: &Tenant, entity: &EntityId, responses: &[Response]) {
    let (store, kind) = (&table.store, FactsKind::Final);
    let check = CheckKey {
        day: table.now().day(),
        check: 1.into(),
    };
    let encoded = encode_check(responses);
    let mut segments = BTreeMap::new();
    for (family, buckets) in encoded.buckets() {
        if [Family::Visibility, Family::Citations, Family::Links].contains(&family) {
            let put = store.put_segment(tenant, entity, family, check, buckets, kind);
            segments.insert(family, put.await.unwrap());
        }
    }
    assert!(encoded.links.len() >= 4, "several buckets");
    table.index(tenant, entity, check, segments).await;
}

/// Returns the citations in the statistics of each prompt.
fn citations(listed: &Value) -> Vec<u64> {
    let rows = listed["data"].as_array().unwrap();
    rows.iter()
        .map(|row| row["stats"]["citations"].as_u64().unwrap())
        .collect()
}

#[tokio::test]
async fn statistics_of_prompts_read_the_links_of_their_domains() {
    let table = Table::start().await;
    let (tenant, key) = table.workspace(no_limits(), 0).await;
    let entity = table.entity(&tenant, "acme.com", 90, 2).await;
    let (responses, of_acme) = answers(90, &["acme.com"], &table);
    add_answers(&table, &tenant, &entity.id, &responses).await;
    let (path, query) = ("/v1/entities/prompts", format!("entityId={}", entity.id));
    table.faults.take();
    let listed = get(&table, key.reveal(), path, &query).await;
    assert_eq!(citations(&listed), of_acme[1..]);
    let calls = table.faults.take();
    assert_eq!(calls_to(&calls, "#F#links"), ["BatchGetItem"]);
    assert!(calls_to(&calls, "#F#citations").is_empty());

    let members: Vec<String> = (1..=16).map(|number| format!("site{number}.com")).collect();
    let mut brands = vec![entity.brand];
    for domain in &members {
        brands.push(table.entity(&tenant, domain, 1, 1).await.brand);
    }
    let (group, none) = (new_group(&brands, None), ReplyRecorder::disabled());
    table.store.create_group(&tenant, &group, &none).await.unwrap();
    let own: Vec<&str> = members.iter().map(String::as_str).chain(["acme.com"]).collect();
    let (_, of_group) = answers(90, &own, &table);
    assert_ne!(of_group, of_acme);
    table.faults.take();
    let listed = get(&table, key.reveal(), path, &query).await;
    assert_eq!(citations(&listed), of_group[1..]);
    let calls = table.faults.take();
    assert_eq!(calls_to(&calls, "#F#links"), ["BatchGetItem"]);
    assert!(calls_to(&calls, "#F#citations").is_empty());
}

/// Returns bytes that do not repeat themselves.
fn some_bytes(length: usize) -> Vec<u8> {
    let mut rng = SeededRng::new(length as u64);
    let words = (0..length.div_ceil(8)).flat_map(|_| rng.next_u64().to_le_bytes());
    words.take(length).collect()
}

#[tokio::test]
async fn a_segment_of_several_parts_is_read_whole() {
    let table = Table::start().await;
    let (tenant, _) = table.workspace(no_limits(), 0).await;
    let entity = table.entity(&tenant, "acme.com", 1, 1).await.id;
    let day = table.now().day();
    let mut written = Vec::new();
    for (check, length) in [(1, 350_000), (2, 350_001), (3, 10), (4, 1_100_000)] {
        let check = CheckKey {
            day,
            check: check.into(),
        };
        let bytes = some_bytes(length);
        for (family, buckets) in [
            (Family::Fanouts, vec![bytes.clone()]),
            (
                Family::Links,
                vec![some_bytes(3), bytes.clone(), some_bytes(700_001)],
            ),
        ] {
            let put = table
                .store
                .put_segment(&tenant, &entity, family, check, &buckets, FactsKind::Final);
            written.push((family, check, put.await.unwrap(), buckets));
        }
    }
    let of = |family| written.iter().filter(move |(of, ..)| *of == family);
    let refs: Vec<_> = of(Family::Fanouts)
        .map(|(_, check, segment, _)| (*check, *segment))
        .collect();
    for wanted in [&refs[..], &refs[1..2], &refs[2..]] {
        let read = table
            .store
            .segments(&tenant, &entity, Family::Fanouts, wanted)
            .await
            .unwrap();
        let expected: Vec<_> = of(Family::Fanouts)
            .filter(|(_, check, ..)| wanted.iter().any(|(of, _)| of == check))
            .map(|(_, check, _, buckets)| (*check, buckets[0].clone()))
            .collect();
        assert!(read == expected, "{wanted:?}");
    }
    let wanted = of(Family::Links).flat_map(|(_, check, segment, _)| segment.all_buckets(*check));
    let read = table
        .store
        .buckets(&tenant, &entity, Family::Links, wanted.collect())
        .await
        .unwrap();
    let expected: Vec<_> = of(Family::Links)
        .flat_map(|(_, check, _, buckets)| {
            buckets
                .iter()
                .enumerate()
                .map(|(n, bytes)| ((*check, n), bytes.clone()))
        })
        .collect();
    assert!(read == expected);
}
