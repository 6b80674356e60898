//! Measures the capacity units that DynamoDB charges for a check, from its claim to its end.

use std::collections::BTreeMap;

use tokio::runtime::Runtime;

use super::CheckerBench;

const READS: [&str; 4] = ["BatchGetItem", "GetItem", "Query", "TransactGetItems"];

/// The calls of an operation.
#[derive(Default)]
struct OperationTotals {
    calls: usize,
    units: f64,
}

/// Runs another check and prints its calls and units.
pub(super) fn print(bench: &CheckerBench, runtime: &Runtime, background: &Runtime) {
    bench.recorder.record();
    let check = bench.check(runtime, background);
    let calls = bench.recorder.calls();
    bench.recorder.pass_through();
    let mut operations: BTreeMap<&str, OperationTotals> = BTreeMap::new();
    let (mut reads, mut writes) = (0.0, 0.0);
    for call in &calls {
        let totals = operations.entry(&call.call.operation).or_default();
        totals.calls += 1;
        totals.units += call.units;
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
    for (operation, OperationTotals { calls, units }) in operations {
        println!("| {operation} | {calls} | {units} | {:.2} |", units / answers);
    }
    println!("| all reads | | {reads} | {:.2} |", reads / answers);
    println!("| all writes | | {writes} | {:.2} |", writes / answers);
    println!();
}
