//! Domain groups: several entities of one brand, merged.
#![forbid(unsafe_code)]

mod change;
mod create;
mod delete;
mod list;
mod read;
mod refusal;
mod view;

use api::{App, Route, route};

pub static ROUTES: &[Route<App>] = &[
    route!(Get "/domain-groups" => list::list),
    route!(Post "/domain-groups" => create::create),
    route!(Patch "/domain-groups" => change::change),
    route!(Delete "/domain-groups" => delete::delete),
];
