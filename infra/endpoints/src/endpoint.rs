//! An endpoint of the API.

use api::{BASE_PATH, Columns, Method, Reach};

/// A method and a path, with the function that serves them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Endpoint {
    /// The name of the function's package and folder.
    pub function: &'static str,
    pub method: Method,
    /// The path without the version prefix, for example `/entities`.
    pub path: &'static str,
    pub reach: Reach,
    /// The columns of the CSV table. Empty if the endpoint has none.
    pub columns: Columns,
}

impl Endpoint {
    /// The path with the version prefix, for example `/v1/entities`.
    pub fn full_path(&self) -> String {
        format!("{BASE_PATH}{}", self.path)
    }
}
