//! What the analytics endpoints cost (read units, round trips and CPU time) and what an answer costs the checker, beside
//! the budgets.
//!
//! ```text
//! cargo run --release -p acceptance --bin bench -- [--workload S|M|L]… [--only NAME] [--days N] [--ranges] [--csv DIR] [--checker]
//! ```
#![forbid(unsafe_code)]
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a benchmark that cannot go on ends, and its figures are its output"
)]

mod arguments;
mod call_recorder;
mod check;
mod cpu;
mod csv;
mod distributions;
mod endpoint_meter;
mod market;
mod report;
mod request;
mod sdk_call;
mod table;
mod workload;

use std::time::Instant;

use arguments::Arguments;
use call_recorder::CallRecorder;
use csv::Csv;
use endpoint_meter::EndpointMeter;
use report::Row;
use request::{BenchRequest, CITATIONS, VISIBILITY, event, filter, query};
use table::Table;
use tokio::runtime::{Builder, Runtime};
use workload::Workload;

const RANGES: [i32; 4] = [7, 30, 90, 366];

fn main() {
    let arguments = match Arguments::read(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(2);
        }
    };
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut measured = Vec::new();
    let mut missed = 0;
    for workload in &arguments.workloads {
        let (rows, more) = measure(*workload, &arguments);
        missed += report::budgets(*workload, &rows);
        if !more.is_empty() {
            report::ranges(*workload, &more);
        }
        measured.push((*workload, rows));
    }
    report::growth(&measured);
    if arguments.checker {
        let (runtime, others) = runtimes();
        missed += check::measure(&runtime, &others);
    }
    println!("{missed} budgets missed");
}

fn measure(workload: Workload, arguments: &Arguments) -> (Vec<Row>, Vec<(Row, i32)>) {
    let (runtime, others) = runtimes();
    let mut csv = arguments
        .csv
        .as_ref()
        .map(|directory| Csv::create(&directory.join(workload.name.to_string())));
    let start = Instant::now();
    let mut table = others.block_on(Table::start(&workload));
    others.block_on(table.grow(arguments.days, csv.as_mut()));
    eprintln!(
        "{}: {} days in {:.1} s",
        workload.name,
        table.days,
        start.elapsed().as_secs_f64()
    );
    let at = Measurement {
        workload,
        runtime: &runtime,
    };
    let only = arguments.only.as_deref().unwrap_or_default();
    let mut asked = request::ALL.to_vec();
    asked.retain(|question| question.name.contains(only));
    let rows = at.rows(&table, &asked, arguments.days.min(arguments::DEFAULT_DAYS));
    let mut more = Vec::new();
    if arguments.ranges && workload.name != 'L' {
        for days in RANGES {
            others.block_on(table.grow(days, csv.as_mut()));
            let rows = at.rows(&table, &[VISIBILITY, CITATIONS], days);
            more.extend(rows.into_iter().map(|row| (row, days)));
        }
    }
    (rows, more)
}

/// The one that is measured, on this thread alone, and one with threads of its own for everything else.
fn runtimes() -> (Runtime, Runtime) {
    let others = Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let alone = Builder::new_current_thread().enable_all().build();
    (alone.expect("a runtime"), others.expect("a runtime"))
}

struct Measurement<'a> {
    workload: Workload,
    runtime: &'a Runtime,
}

impl Measurement<'_> {
    /// Asks each question without a filter and with one.
    fn rows(&self, table: &Table, questions: &[BenchRequest], days: i32) -> Vec<Row> {
        let tap = CallRecorder::new();
        let meter = EndpointMeter::new(self.runtime, tap.clone(), table.app(&tap));
        let range = (table.today(), days);
        let filter = filter(table, self.workload.prompts);
        let top = query(&CITATIONS, table, range, "", "");
        let top = meter.body(&event(&table.key, CITATIONS.path, &top));
        let cited = top["data"][0]["entityUuid"].as_str().expect("a cited domain");
        let mut rows = Vec::new();
        for more in ["", &filter] {
            for question in questions {
                let query = query(question, table, range, more, cited);
                rows.push(Row {
                    question: *question,
                    filtered: !more.is_empty(),
                    costs: meter.costs(&event(&table.key, question.path, &query)),
                });
            }
        }
        rows
    }
}
