//! Domain groups: several entities of one brand, merged.
#![forbid(unsafe_code)]

mod create;
pub mod delete;
pub mod list;
mod read;
mod update;
pub mod view;

use api::{ApiState, Route, route};

pub static ROUTES: &[Route<ApiState>] = &[
    route!(Get "/domain-groups" => list::list),
    route!(Post "/domain-groups" => create::create),
    route!(Patch "/domain-groups" => update::update),
    route!(Delete "/domain-groups" => delete::delete),
];
