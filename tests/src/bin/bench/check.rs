//! Measures the checker's CPU time per answer, with a provider that answers at once.

mod capacity;
mod checker_bench;
mod parts;

use std::time::Duration;

use domain::answer::ResponseState;
use tokio::runtime::Runtime;

use super::cpu::median;
use super::report;
use super::workload::Workload;
use checker_bench::CheckerBench;
use parts::Parts;

/// Checks that are measured, after one that is not.
const CHECKS: usize = 9;
/// Milliseconds per answer: decoded, matched, recorded.
const BUDGET: f64 = 1.0;

/// Runs checks on `runtime`; the provider, the database and the bus are on the threads of `others`. How many
/// budgets are missed.
pub(crate) fn measure(runtime: &Runtime, others: &Runtime) -> usize {
    let world = others.block_on(CheckerBench::start());
    world.check(runtime, others);
    let (mut start, mut shards) = (Vec::new(), Vec::new());
    let (mut finish, mut parts) = (Vec::new(), Vec::new());
    for _ in 0..CHECKS {
        let check = world.check(runtime, others);
        let asked = (Workload::CHECK.prompts * Workload::CHECK.models) as usize;
        let answered = check
            .responses
            .iter()
            .filter(|r| r.state == ResponseState::Answered);
        assert_eq!(answered.count(), asked, "each question is answered");
        start.push(check.start);
        shards.push(check.shards);
        finish.push(check.finish);
        parts.push(world.parts(runtime, &check));
    }
    let part = |of: fn(&Parts) -> Duration| median(parts.iter().map(of).collect());
    let whole = median(shards);
    let (ask, find, record) = (part(|p| p.ask), part(|p| p.find), part(|p| p.record));
    let rows = [
        ("claim and plan", median(start), None),
        ("shards", whole, Some(BUDGET)),
        ("… the provider's HTTP and decoding", ask, None),
        ("… matching", find, None),
        ("… recording: SDK and HTTP", record, None),
        (
            "… events, leases, reads and the rest",
            whole.saturating_sub(ask + find + record),
            None,
        ),
        ("finish", median(finish), None),
        ("… folding", part(|p| p.fold), None),
    ];
    let missed = report::per_answer(Workload::CHECK, &rows);
    capacity::print(&world, runtime, others);
    missed
}
