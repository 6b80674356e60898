//! Prompts: the questions that are tracked for an entity.
#![forbid(unsafe_code)]

mod add;
mod list;

use api::{App, Route, route};

pub static ROUTES: &[Route<App>] = &[
    route!(Post "/entities/addprompt" => add::add),
    route!(Get "/entities/prompts" => list::list),
];
