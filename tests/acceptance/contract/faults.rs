//! Every write gets over a table that is in conflict, throttled, out of reach, or whose answers get lost: its effect
//! is the one it has when nothing goes wrong, once.

use std::collections::BTreeMap;

use acceptance::{Fault, Faults, World};
use serde_json::{Value, json};

use super::{Endpoint, Fixture, endpoints};

/// What happens to the first transactions of a request, and to how many: more than the SDK tries by itself.
const TROUBLES: [(Fault, u32); 5] = [
    (Fault::Conflict, 4),
    (Fault::Lost, 5),
    (Fault::Throttled, 5),
    (Fault::ServerError, 5),
    (Fault::Unreachable, 5),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_that_meets_faults_has_its_effect_once() {
    let faults = Faults::default();
    let world = World::through(&faults).await;
    for endpoint in endpoints().filter(|endpoint| !endpoint.is_read()) {
        let expected = effect(&world, &faults, endpoint, None).await;
        for trouble in TROUBLES {
            let seen = effect(&world, &faults, endpoint, Some(trouble)).await;
            assert_eq!(seen, expected, "{} {trouble:?}", endpoint.route);
        }
    }
}

/// The reply and the state after it, without what differs from one run to the next.
async fn effect(world: &World, faults: &Faults, endpoint: &Endpoint, trouble: Option<(Fault, u32)>) -> Value {
    let fixture = Fixture::new(world).await;
    let request = (endpoint.request)(&fixture);
    if let Some((fault, mut left)) = trouble {
        faults.script(move |call| {
            let is_met = call.operation == "TransactWriteItems" && left > 0;
            left -= u32::from(is_met);
            is_met.then_some(fault)
        });
    }
    faults.take();
    let answer = endpoint.send(world, Some(&fixture.account.key), &request).await;
    faults.none();
    let met = faults.take().iter().filter(|call| call.fault.is_some()).count();
    assert_eq!(
        met > 0,
        trouble.is_some(),
        "{} writes in transactions",
        endpoint.route
    );
    let seen = json!([answer.ok(), fixture.quiet_state(world).await]);
    without_chance(&seen, &mut BTreeMap::new())
}

/// Ids by the order in which they occur, instants and durations left out.
fn without_chance(value: &Value, ids: &mut BTreeMap<String, usize>) -> Value {
    match value {
        Value::Array(values) => values.iter().map(|v| without_chance(v, ids)).collect(),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(k, v)| (k.clone(), without_chance(v, ids)));
            Value::Object(fields.collect())
        }
        Value::String(text) => {
            let id = text.split('-').next().unwrap_or_default();
            if id.len() == 16 && id.bytes().all(|b| b.is_ascii_alphanumeric()) {
                let (next, rest) = (ids.len(), &text[16..]);
                json!(format!("id {}{rest}", ids.entry(id.to_owned()).or_insert(next)))
            } else if text.len() == 24 && text.ends_with('Z') {
                json!("an instant")
            } else {
                value.clone()
            }
        }
        Value::Number(number) if number.as_u64().is_some_and(|n| n > 1_000_000_000_000) => {
            json!("an instant")
        }
        other => other.clone(),
    }
}
