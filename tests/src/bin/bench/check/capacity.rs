//! What DynamoDB charges for a check, from its claim to its end.

use std::collections::BTreeMap;

use tokio::runtime::Runtime;

use super::CheckerBench;

const READS: [&str; 4] = ["BatchGetItem", "GetItem", "Query", "TransactGetItems"];

/// Runs one more check and prints its calls and units.
pub(super) fn print(world: &CheckerBench, runtime: &Runtime, others: &Runtime) {
    world.tap.record();
    let check = world.check(runtime, others);
    let calls = world.tap.calls();
    world.tap.through();
    let mut operations: BTreeMap<&str, (usize, f64)> = BTreeMap::new();
    let (mut reads, mut writes) = (0.0, 0.0);
    for call in &calls {
        let seen = operations.entry(&call.call.operation).or_default();
        *seen = (seen.0 + 1, seen.1 + call.units);
        if READS.contains(&call.call.operation.as_str()) {
            reads += call.units;
        } else {
            writes += call.units;
        }
    }
    let answers = f64::from(u32::try_from(check.responses.len()).unwrap_or(u32::MAX));
    println!(
        "| a check of {answers} answers · {} messages | calls | units | units per answer |",
        check.messages
    );
    println!("|---|---|---|---|");
    for (operation, (calls, units)) in operations {
        println!("| {operation} | {calls} | {units} | {:.2} |", units / answers);
    }
    println!("| all reads | | {reads} | {:.2} |", reads / answers);
    println!("| all writes | | {writes} | {:.2} |", writes / answers);
    println!();
}
