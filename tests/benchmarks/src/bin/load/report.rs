//! Prints the measurements as a Markdown table.

use std::time::Duration;

use crate::arguments::Arguments;
use crate::arguments::MODELS;
use crate::tenants::RecordedTotals;

/// The budget of the host's memory, including all stored items, in megabytes.
const MEMORY_BUDGET: u64 = 512;

/// The host's peak memory, in bytes.
pub(crate) struct PeakMemory {
    pub(crate) before_checks: u64,
    pub(crate) total: u64,
}

/// The measurements of a run.
pub(crate) struct Figures {
    /// The time from the instant at which all checks are due to the end of the last check.
    pub(crate) wall: Duration,
    pub(crate) memory: PeakMemory,
    /// The host's CPU time since the checks are due.
    pub(crate) cpu: Duration,
    /// The number of requests to the provider for each question.
    pub(crate) asked: Vec<u32>,
    pub(crate) recorded: RecordedTotals,
    /// The price of all answers, in credits.
    pub(crate) price: i64,
}

impl Figures {
    /// Prints the table. Returns false if an answer is missing, or if a question was not asked and paid for
    /// exactly once.
    pub(crate) fn print(&self, arguments: &Arguments) -> bool {
        let (questions, recorded) = (arguments.questions(), &self.recorded);
        let requests: u32 = self.asked.iter().sum();
        let repeated = self.asked.iter().filter(|times| **times > 1).count();
        let is_once = self.asked.len() == questions && repeated == 0;
        let is_complete = recorded.answered == questions && recorded.others == 0;
        let is_paid = recorded.used == self.price && recorded.reserved == 0;
        let each = self.cpu.as_secs_f64() * 1_000.0 / questions as f64;
        let (before_checks, peak) = (self.memory.before_checks >> 20, self.memory.total >> 20);

        println!(
            "| {} entities of {} workspaces, {} prompts × {MODELS} models, provider at {} ms | |",
            arguments.entities,
            arguments.workspaces,
            arguments.prompts,
            arguments.latency.as_millis()
        );
        println!("|---|---|");
        let wall = self.wall.as_secs_f64();
        println!("| time until all checks are complete | {wall:.1} s |");
        println!("| answers per second | {:.0} |", questions as f64 / wall);
        println!("| the host's peak memory before the checks | {before_checks} MB |");
        println!(
            "| the host's peak memory in total | {peak} MB < {MEMORY_BUDGET} {} |",
            mark(peak < MEMORY_BUDGET)
        );
        println!("| the host's CPU time | {:.1} s |", self.cpu.as_secs_f64());
        println!("| the host's CPU time per answer | {each:.2} ms |");
        println!(
            "| requests to the provider | {requests} of {questions} {} |",
            mark(is_once)
        );
        println!(
            "| questions asked more than once | {repeated} {} |",
            mark(repeated == 0)
        );
        println!(
            "| responses: answered, others | {}, {} {} |",
            recorded.answered,
            recorded.others,
            mark(is_complete)
        );
        println!(
            "| credits: used, still reserved | {} of {}, {} {} |",
            recorded.used,
            self.price,
            recorded.reserved,
            mark(is_paid)
        );
        is_once && is_complete && is_paid
    }
}

fn mark(is_kept: bool) -> &'static str {
    if is_kept { "✓" } else { "✗" }
}
