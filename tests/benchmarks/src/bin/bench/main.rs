//! Measures the read units, round trips and instructions of the analytics endpoints, and the checker's
//! instructions per answer, and compares them with their budgets.
//!
//! ```text
//! tests/benchmarks/run [--workload S|M|L]… [--only NAME] [--days N] [--window N]… [--checker] [--overview]
//! ```
#![forbid(unsafe_code)]
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a benchmark that cannot continue ends, and its figures are its output"
)]

mod arguments;
mod call_recorder;
mod check;
mod distributions;
mod endpoint_meter;
mod goals;
mod instructions;
mod market;
mod overview;
mod report;
mod request;
mod runtimes;
mod table;
mod workload;

use std::time::Instant;

use arguments::Arguments;
use call_recorder::CallRecorder;
use endpoint_meter::EndpointMeter;
use report::{RangeRow, Row, WorkloadRows};
use request::{BenchRequest, CITATIONS, event, filter, query};
use runtimes::Runtimes;
use table::Table;
use tokio::runtime::Runtime;
use workload::Workload;

fn main() {
    let arguments = match Arguments::parse(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(2);
        }
    };
    let _ = rustls::crypto::ring::default_provider().install_default();
    if let Some(out) = &arguments.callgrind_out {
        instructions::use_callgrind(out);
    }
    let mut measured = Vec::new();
    let mut missed = 0;
    for workload in &arguments.workloads {
        let Measured { rows, range_rows } = measure(*workload, &arguments);
        if !rows.is_empty() {
            missed += report::budgets(*workload, &rows);
        }
        if !range_rows.is_empty() {
            missed += report::ranges(*workload, &range_rows);
        }
        measured.push(WorkloadRows {
            workload: *workload,
            rows,
        });
    }
    report::growth(&measured);
    if arguments.checker {
        let runtimes = Runtimes::new();
        missed += check::measure(&runtimes.measured, &runtimes.background);
    }
    if arguments.overview {
        missed += overview::measure();
    }
    println!("{missed} budgets and goals missed");
}

/// The rows of a workload, and those about other ranges.
struct Measured {
    rows: Vec<Row>,
    range_rows: Vec<RangeRow>,
}

fn measure(workload: Workload, arguments: &Arguments) -> Measured {
    let Runtimes {
        measured: runtime,
        background,
    } = Runtimes::new();
    let start = Instant::now();
    let mut table = background.block_on(Table::start(&workload));
    background.block_on(table.add_days(arguments.days));
    eprintln!(
        "{}: {} days in {:.1} s",
        workload.name,
        table.days,
        start.elapsed().as_secs_f64()
    );
    eprintln!("{}: bytes stored: {:?}", workload.name, table.stored_bytes);
    let measurement = Measurement {
        workload,
        runtime: &runtime,
    };
    let only = arguments.only.as_deref().unwrap_or_default();
    let mut requests = request::ALL.to_vec();
    requests.retain(|request| request.name.contains(only));
    let (mut rows, mut range_rows) = (Vec::new(), Vec::new());
    if arguments.windows.is_empty() {
        rows = measurement.rows(&table, &requests, arguments.days.min(arguments::DEFAULT_DAYS));
    }
    for days in &arguments.windows {
        let rows = measurement.rows(&table, &requests, *days);
        range_rows.extend(rows.into_iter().map(|row| RangeRow { days: *days, row }));
    }
    Measured { rows, range_rows }
}

struct Measurement<'a> {
    workload: Workload,
    runtime: &'a Runtime,
}

impl Measurement<'_> {
    /// Measures each request without a filter and with one.
    fn rows(&self, table: &Table, requests: &[BenchRequest], days: i32) -> Vec<Row> {
        let recorder = CallRecorder::new();
        let meter = EndpointMeter::new(self.runtime, recorder.clone(), table.app(&recorder));
        let filter = filter(table, self.workload.prompts);
        let top = query(&CITATIONS, table, days, "", "");
        let top = meter.body(&event(&table.key, CITATIONS.path, &top));
        let cited = top["data"][0]["entityUuid"].as_str().expect("a cited domain");
        let mut rows = Vec::new();
        for filter in ["", &filter] {
            for request in requests {
                let query = query(request, table, days, filter, cited);
                let event = event(&table.key, request.path, &query);
                rows.push(Row {
                    request: *request,
                    is_filtered: !filter.is_empty(),
                    costs: meter.costs(&event),
                });
            }
        }
        rows
    }
}
