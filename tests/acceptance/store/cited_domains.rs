//! Domains that were cited and are not tracked.

use std::collections::{BTreeMap, BTreeSet};

use acceptance::Item;
use domain::time::DAY;
use store::Tenant;

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
