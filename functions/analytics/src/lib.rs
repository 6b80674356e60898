//! Analytics: computed from facts, never from raw responses.
#![forbid(unsafe_code)]

mod filters;
mod scope;
mod visibility;

use api::{App, Route, route};

pub static ROUTES: &[Route<App>] = &[route!(Get "/trends/visibility" => visibility::visibility)];
