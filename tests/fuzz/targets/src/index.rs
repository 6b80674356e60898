//! The index of a month's segments. Each line is the name of an attribute, a tab and its text.

use domain::family::Family;
use domain::id::EntityId;
use domain::period::DateRange;
use facts::families::bucket_of;
use serde_json::{Map, Value, json};
use store::{FactIndex, MonthIndex, Tenant};

use crate::table;
use crate::world::{NOW, World};

pub(crate) fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let pairs = text.lines().filter_map(|line| line.split_once('\t'));
    let item: Map<String, Value> = pairs
        .map(|(name, text)| (name.to_owned(), json!({"S": text})))
        .collect();
    World::with(|world| {
        world.table.state().item = Some(item.clone().into());
        world.runtime.block_on(read(world, &item));
    });
}

#[expect(
    clippy::disallowed_methods,
    reason = "the target names the workspace of its table"
)]
async fn read(world: &World, item: &Map<String, Value>) {
    let tenant = Tenant::operator(table::WORKSPACE.parse().unwrap());
    let entity: EntityId = "7Hq2bT9xKc4LmZ0p".parse().unwrap();
    let range = DateRange::last_30_days(NOW.day());
    let index = world
        .app
        .store
        .fact_index(&tenant, &entity, &[range], store::Consistency::Strong)
        .await;
    let index: FactIndex = match index {
        Ok(index) => index,
        // The item's own expiry or type can be anything.
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let by_family = Family::ALL.map(|family| (family, index.segments_of(family)));
    let Ok(checks) = index.checks() else {
        return;
    };
    // A complete index is also readable by family, and names the same segments.
    for (family, named) in by_family {
        let mut expected = checks
            .iter()
            .filter_map(|(check, all)| Some((*check, *all.segments.get(&family)?)));
        assert!(
            named.is_ok_and(|named| named.len() == expected.by_ref().count()),
            "{family:?}"
        );
    }
    for (check, entry) in &checks {
        assert!(range.contains(check.day) && index.contains(*check));
        for segment in entry.segments.values() {
            assert!(segment.buckets == 0 || bucket_of("example.com", segment.buckets) < segment.buckets);
        }
        // An entry that is written again reads as before.
        let store = &world.app.store;
        let entries = [(*check, entry.clone())].into();
        let seen = MonthIndex::default();
        store
            .index_segments(&tenant, &entity, check.day, &seen, &entries, None)
            .await
            .unwrap();
        let (_, request) = world.table.state().calls.pop().unwrap();
        let written = request["ExpressionAttributeValues"][":e0"]["S"]
            .as_str()
            .unwrap()
            .to_owned();
        let name = format!("d{}c{}", check.day.0, check.check);
        assert!(
            request["UpdateExpression"]
                .as_str()
                .unwrap()
                .contains(&format!("#{name} ="))
        );
        world.table.state().item = Some(json!({ name: {"S": written} }));
        let again = store
            .fact_index(&tenant, &entity, &[range], store::Consistency::Strong)
            .await
            .unwrap();
        assert_eq!(again.checks().unwrap(), [(*check, entry.clone())], "{written}");
    }
    assert!(checks.len() <= item.len());
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let day = NOW.day().0;
    let all = "v0123456789ab.1.2 c0123456789ac.1.3 l0123456789ad.16.0 f0123456789ae.3.4 r0123456789af.1.1 @0123456789b0 ! ~";
    [
        format!("d{day}c42\t{all}"),
        format!(
            "d{day}c1\tv0123456789ab.1.1\nd{}c2\tf0123456789ab.2.350\nd{day}c3\t",
            day - 1
        ),
        format!("d{day}c0\tl0123456789ab.0.0 v0123456789ab.18446744073709551615.1\nPK\tW#"),
        format!("d{day}c4294967295\tx0123456789ab.1.1\nd-1c1\tv\ndc\t\nexpiresAt\t1"),
        format!("d{day}c42\t{all}\nd{day}c042\t{all}"),
        format!("d+{day}c007\tv0123456789ab.+1.01 v0123456789ac.1.1  c0123456789ab.1.1"),
    ]
    .map(String::into_bytes)
    .into()
}
