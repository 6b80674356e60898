//! Measures the overview of many entities.

use tokio::runtime::Runtime;

use super::call_recorder::CallRecorder;
use super::endpoint_meter::EndpointMeter;
use super::report::{OverviewRow, overview};
use super::request::event;
use super::runtimes::Runtimes;
use super::table::Table;
use super::workload::Workload;

/// The number of entities on the page.
const ENTITIES: usize = 25;
/// The numbers of days with checks. Only the last one has answers in the days with which the window is
/// compared.
const DAYS: [i32; 2] = [30, 60];

/// Measures a page of entities of workload S, and prints the figures. Returns the number of missed budgets.
pub(crate) fn measure() -> usize {
    let Runtimes {
        measured: runtime,
        background,
    } = Runtimes::new();
    let rows = DAYS.map(|days| measure_days(&runtime, &background, days));
    overview(ENTITIES, &rows)
}

fn measure_days(runtime: &Runtime, background: &Runtime, days: i32) -> OverviewRow {
    let workload = Workload::ALL[0];
    let mut table = background.block_on(Table::start(&workload));
    background.block_on(table.track_like(&workload, ENTITIES, days.unsigned_abs()));
    background.block_on(table.add_days(days));
    let recorder = CallRecorder::new();
    let meter = EndpointMeter::new(runtime, recorder.clone(), table.app(&recorder));
    // The entities that the table starts with are younger.
    let event = event(&table.key, "/entities/overview", &format!("limit={ENTITIES}"));
    let rows = meter.body(&event);
    let rows = rows["data"].as_array().expect("rows");
    let days_of = |row: &serde_json::Value| row["trend"].as_array().map(Vec::len);
    assert!(rows.len() == ENTITIES && rows.iter().all(|row| days_of(row) == Some(30)));
    OverviewRow {
        days,
        costs: meter.costs(&event),
    }
}
