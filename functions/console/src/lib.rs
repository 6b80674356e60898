//! The function of the web console: it serves the console's files, and the documents of the API with a page
//! that renders them.
//!
//! All of it is prepared when the function is built (`build/`). The function needs no key, no table and no
//! other part of AWS.
#![forbid(unsafe_code)]

mod conditions;
mod file;
mod headers;
mod service;

pub use service::{PATHS, service};
