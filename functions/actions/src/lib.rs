//! Actions: recommendations and the task board.
#![forbid(unsafe_code)]

use api::{App, Route};

pub static ROUTES: &[Route<App>] = &[];
