//! Domains that were cited and are not tracked.

use std::collections::{BTreeMap, BTreeSet};

use acceptance::{Fault, Item};
use domain::brand::uuid_of_domain;
use domain::time::DAY;
use store::{ReplyRecorder, Tenant};

use super::groups::{new_group, seen};
use super::table::Table;

/// Returns the items of cited domains: the domain and its expiry.
async fn remembered(table: &Table) -> BTreeMap<String, i64> {
    let items = table.items().await;
    let field = |item: &Item, name: &str| item[name].clone();
    let of = |item: &Item| {
        let domain = field(item, "domain").as_s().unwrap().clone();
        (
            domain,
            field(item, "expiresAt").as_n().unwrap().parse::<i64>().unwrap(),
        )
    };
    let cited = items.iter().filter(|((_, sk), _)| sk.starts_with("SEEN#"));
    cited.map(|(_, item)| of(item)).collect()
}

async fn note(table: &Table, tenant: &Tenant, domains: &[&str]) {
    let domains: BTreeSet<String> = domains.iter().map(|d| (*d).to_owned()).collect();
    table
        .store
        .record_cited_domains(tenant, domains, table.now().day())
        .await
        .unwrap();
}

#[tokio::test]
async fn a_cited_domain_is_kept_for_400_days_and_written_again_only_when_a_range_would_outlast_it() {
    let table = Table::start().await;
    let tenant = table.tenant(0).await;
    table.entity(&tenant, "acme.com", 1, 1).await;
    let first = table.now().day();
    let end = |days: i32| (first.plus_days(days).start() + 400 * DAY).ttl_seconds();
    note(&table, &tenant, &["one.com", "acme.com"]).await;
    let expected = BTreeMap::from([("one.com".to_owned(), end(0))]);
    assert_eq!(
        remembered(&table).await,
        expected,
        "tracked brands have their own item"
    );

    let writes = async |table: &Table, domains: &[&str]| {
        table.faults.take();
        note(table, &tenant, domains).await;
        let calls = table.faults.take();
        calls.iter().filter(|call| call.operation == "PutItem").count()
    };
    assert_eq!(writes(&table, &["one.com"]).await, 0);
    table.advance(34 * DAY);
    assert_eq!(writes(&table, &["one.com", "two.com"]).await, 1);
    assert_eq!(remembered(&table).await["one.com"], end(0));
    table.advance(DAY);
    assert_eq!(writes(&table, &["one.com", "two.com"]).await, 1);
    assert_eq!(remembered(&table).await["one.com"], end(35));
    // An expired item that still exists is written again.
    table.advance(401 * DAY);
    assert_eq!(writes(&table, &["two.com"]).await, 1);
}

#[tokio::test]
async fn many_cited_domains_are_recorded_even_if_calls_fail() {
    let table = Table::start().await;
    let tenant = table.tenant(0).await;
    let (mut calls, mut throttled) = (0, BTreeSet::new());
    table.faults.script(move |call| {
        calls += 1;
        match call.operation.as_str() {
            "BatchGetItem" if calls % 2 == 0 => Some(Fault::Unprocessed),
            // No request fails twice, because a request that is throttled at every attempt is given up.
            _ if calls % 7 == 0 && throttled.insert(call.request.to_string()) => Some(Fault::Throttled),
            _ => None,
        }
    });
    let brands = seen(&table, &tenant, 250).await;
    assert_eq!(seen(&table, &tenant, 250).await.len(), 250);
    table.faults.none();
    assert_eq!(remembered(&table).await.len(), 250);
    let new = new_group(&[brands[249], uuid_of_domain("seen0.com")], None);
    let made = table
        .store
        .create_group(&tenant, &new, &ReplyRecorder::disabled())
        .await;
    let made = made.unwrap();
    assert_eq!(made.name, "seen249.com");
    // The domain is a brand now, and is not recorded a second time.
    table.advance(100 * DAY);
    let before = remembered(&table).await["seen0.com"];
    note(&table, &tenant, &["seen0.com"]).await;
    assert_eq!(remembered(&table).await["seen0.com"], before);
}
