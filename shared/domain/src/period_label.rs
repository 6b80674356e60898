//! The JSON Schema of the label of a period.

use crate::period::{CUSTOM, PERIODS};
use crate::schema::named_schema;

/// Stands for the label of the days that a response covers.
#[derive(Debug)]
pub enum PeriodLabel {}

named_schema!(PeriodLabel, {"type": "string", "enum": period_labels()});

fn period_labels() -> Vec<&'static str> {
    PERIODS.iter().map(|(label, _)| *label).chain([CUSTOM]).collect()
}
