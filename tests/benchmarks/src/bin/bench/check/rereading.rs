//! Measures what it costs to read recorded answers again: capacity units and instructions per 1,000 answers.

use domain::entity::EntityUpdate;
use events::{CheckEvent, EntityRef};
use tokio::runtime::Runtime;

use super::super::report;
use super::CheckerBench;

const READS: [&str; 3] = ["BatchGetItem", "GetItem", "Query"];

/// Reads all recorded answers again and prints the cost: for a name that no answer contains, and for one that
/// changes some.
pub(super) fn print(bench: &CheckerBench, runtime: &Runtime, background: &Runtime, answers: usize) {
    println!(
        "| {answers} answers read again | rewritten | reads per 1,000 | writes per 1,000 | M instructions per 1,000 |"
    );
    println!("|---|---|---|---|---|");
    for (name, alias) in [("a name in no answer", "Nonesuchium"), ("a name in some", "is")] {
        bench.set_alias(runtime, alias);
        bench.recorder.record();
        let instructions = bench.reread(runtime, background);
        let calls = bench.recorder.calls();
        bench.recorder.pass_through();
        let (mut reads, mut writes, mut rewritten) = (0.0, 0.0, 0);
        for call in &calls {
            let operation = call.call.operation.as_str();
            if READS.contains(&operation) {
                reads += call.units;
            } else {
                writes += call.units;
            }
            rewritten += usize::from(call.call.request.to_string().contains(":notMentioned"));
        }
        let thousands = f64::from(u32::try_from(answers).unwrap_or(u32::MAX)) / 1_000.0;
        println!(
            "| {name} | {rewritten} | {:.0} | {:.0} | {} |",
            reads / thousands,
            writes / thousands,
            report::millions(instructions, thousands)
        );
    }
    println!();
}

impl CheckerBench {
    fn set_alias(&self, runtime: &Runtime, alias: &str) {
        let table = &self.table;
        let update = EntityUpdate {
            aliases: Some(vec![alias.to_owned()]),
            ..EntityUpdate::default()
        };
        let (tenant, id) = (&table.tenant, &table.entity.id);
        let store = &self.checker.store;
        let updated = runtime.block_on(store.update_entity(tenant, id, &update, &table.catalogue));
        updated.expect("an alias");
        let requested =
            runtime.block_on(store.request_rereading(tenant, Some(id), None, self.checker.clock.now()));
        requested.expect("a table");
    }

    /// Reads the entity's answers again. Returns the number of instructions.
    fn reread(&self, runtime: &Runtime, background: &Runtime) -> u64 {
        let event = CheckEvent::RereadingDue(EntityRef {
            workspace_id: *self.table.tenant.workspace(),
            entity_id: self.table.entity.id,
        });
        let published = runtime.block_on(self.checker.bus.publish(&[event]));
        published.expect("a bus");
        let mut instructions = 0;
        loop {
            let batches = self.take_published(background);
            if batches.is_empty() {
                return instructions;
            }
            for batch in batches {
                instructions += self.step(runtime, batch).1;
            }
        }
    }
}
