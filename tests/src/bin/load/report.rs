//! Prints the measurements as a Markdown table.

use std::time::Duration;

use crate::arguments::Arguments;
use crate::arguments::MODELS;
use crate::tenants::RecordedTotals;

/// Megabytes that the host may hold, everything that it stores included.
const MEMORY: u64 = 512;

pub(crate) struct Figures {
    /// From the instant that all checks are due to the end of the last one.
    pub(crate) wall: Duration,
    /// The host's peak in bytes: before the checks, and in all.
    pub(crate) memory: (u64, u64),
    /// Of the host, from the instant on.
    pub(crate) cpu: Duration,
    /// Requests to the provider, for each question.
    pub(crate) asked: Vec<u32>,
    pub(crate) recorded: RecordedTotals,
    /// Credits for all answers.
    pub(crate) price: i64,
}

impl Figures {
    /// Prints them. `false`: an answer is missing, or a question was asked or paid for other than once.
    pub(crate) fn print(&self, arguments: &Arguments) -> bool {
        let (questions, recorded) = (arguments.questions(), &self.recorded);
        let requests: u32 = self.asked.iter().sum();
        let twice = self.asked.iter().filter(|times| **times > 1).count();
        let is_once = self.asked.len() == questions && twice == 0;
        let is_whole = recorded.answered == questions && recorded.others == 0;
        let is_paid = recorded.used == self.price && recorded.reserved == 0;
        let each = self.cpu.as_secs_f64() * 1_000.0 / questions as f64;
        let (made, peak) = (self.memory.0 >> 20, self.memory.1 >> 20);

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
        println!("| the host's peak memory before the checks | {made} MB |");
        println!(
            "| the host's peak memory in total | {peak} MB < {MEMORY} {} |",
            mark(peak < MEMORY)
        );
        println!("| the host's CPU time | {:.1} s |", self.cpu.as_secs_f64());
        println!("| the host's CPU time per answer | {each:.2} ms |");
        println!(
            "| requests to the provider | {requests} of {questions} {} |",
            mark(is_once)
        );
        println!(
            "| questions asked more than once | {twice} {} |",
            mark(twice == 0)
        );
        println!(
            "| responses: answered, others | {}, {} {} |",
            recorded.answered,
            recorded.others,
            mark(is_whole)
        );
        println!(
            "| credits: used, still reserved | {} of {}, {} {} |",
            recorded.used,
            self.price,
            recorded.reserved,
            mark(is_paid)
        );
        is_once && is_whole && is_paid
    }
}

fn mark(kept: bool) -> &'static str {
    if kept { "✓" } else { "✗" }
}
