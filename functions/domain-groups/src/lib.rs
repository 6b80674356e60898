//! Domain groups: several entities of one brand, merged.
#![forbid(unsafe_code)]

use api::{App, Route};

pub static ROUTES: &[Route<App>] = &[];
