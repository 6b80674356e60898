//! The order of rows in a segment.

use domain::cell::Cell;

/// Returns the rows by prompt, then model. Of several rows for one prompt and model it keeps the first.
pub(super) fn first_of_each_cell<R>(rows: &[R], cell: impl Fn(&R) -> Cell) -> Vec<&R> {
    let mut sorted: Vec<&R> = rows.iter().collect();
    sorted.sort_by_key(|row| cell(row));
    sorted.dedup_by_key(|row| cell(row));
    sorted
}
