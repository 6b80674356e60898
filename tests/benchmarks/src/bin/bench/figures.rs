//! Writes the measured requests with their responses as JSON lines, for comparisons with other databases.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use serde_json::{Value, json};

use super::report::{Row, ms};
use super::workload::Workload;

/// The file of figures.
pub(crate) struct Figures(BufWriter<File>);

impl Figures {
    pub(crate) fn create(path: &Path) -> Self {
        Self(BufWriter::new(File::create(path).expect("a file")))
    }

    /// Writes the figures of a request about the last `days`, with the response's body.
    pub(crate) fn add(&mut self, workload: Workload, days: i32, row: &Row, query: &str, body: &Value) {
        let (cold, warm) = (&row.costs.cold, &row.costs.warm);
        let figures = json!({
            "workload": workload.name, "days": days, "request": row.request.name, "isFiltered": row.is_filtered,
            "path": row.request.path, "query": query, "readUnits": cold.fact_units + cold.prompt_units,
            "coldMs": ms(cold.own_cpu), "warmMs": ms(warm.own_cpu),
            "sdkColdMs": ms(cold.sdk_cpu), "sdkWarmMs": ms(warm.sdk_cpu), "body": body,
        });
        writeln!(self.0, "{figures}").expect("a line is written");
    }

    /// Makes everything that was added visible to whoever reads the file.
    pub(crate) fn finish(mut self) {
        self.0.flush().expect("the file is written");
    }
}
