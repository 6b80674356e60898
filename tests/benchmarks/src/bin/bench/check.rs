//! Counts the checker's instructions per answer, with a provider that answers at once.

mod capacity;
mod checker_bench;
mod parts;
mod rereading;

use domain::answer::ResponseState;
use tokio::runtime::Runtime;

use super::instructions::median;
use super::report::{self, CheckPart};
use super::workload::Workload;
use checker_bench::CheckerBench;
use parts::Parts;

/// The number of measured checks, after one that is not measured.
const CHECKS: usize = 3;
/// The budget for decoding, matching and recording an answer, in millions of instructions.
const BUDGET: f64 = 4.4;
/// The budget for matching an answer, in millions of instructions.
const MATCHING_BUDGET: f64 = 1.9;

/// Measures checks on `runtime`. The provider, the database and the bus run on the threads of `background`.
/// Returns the number of missed budgets.
pub(crate) fn measure(runtime: &Runtime, background: &Runtime) -> usize {
    let bench = background.block_on(CheckerBench::start());
    bench.check(runtime, background);
    let (mut start, mut shards) = (Vec::new(), Vec::new());
    let (mut finish, mut parts) = (Vec::new(), Vec::new());
    for _ in 0..CHECKS {
        let check = bench.check(runtime, background);
        let questions = (Workload::CHECK.prompts * Workload::CHECK.models) as usize;
        let answered = check
            .responses
            .iter()
            .filter(|r| r.state == ResponseState::Answered);
        assert_eq!(answered.count(), questions, "each question is answered");
        start.push(check.start);
        shards.push(check.shards);
        finish.push(check.finish);
        parts.push(bench.parts(runtime, &check));
    }
    let part = |part: fn(&Parts) -> u64| median(parts.iter().map(part).collect());
    let shards = median(shards);
    let (ask, find, record) = (part(|p| p.ask), part(|p| p.find), part(|p| p.record));
    let row = |name, instructions, budget| CheckPart {
        name,
        instructions,
        budget,
    };
    let rows = [
        row("claim and plan", median(start), None),
        row("shards", shards, Some(BUDGET)),
        row("shards: the provider's HTTP and decoding", ask, None),
        row("shards: matching", find, Some(MATCHING_BUDGET)),
        row("shards: recording with SDK and HTTP", record, None),
        row(
            "shards: events, leases, reads and the rest",
            shards.saturating_sub(ask + find + record),
            None,
        ),
        row("finish", median(finish), None),
        row("finish: folding", part(|p| p.fold), None),
    ];
    let missed = report::per_answer(Workload::CHECK, &rows);
    capacity::print(&bench, runtime, background);
    // Two checks were not measured: the first one, and that of the capacity units.
    let recorded = (CHECKS + 2) * (Workload::CHECK.prompts * Workload::CHECK.models) as usize;
    rereading::print(&bench, runtime, background, recorded);
    missed
}
