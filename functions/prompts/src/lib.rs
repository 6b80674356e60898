//! Prompts: the questions that are tracked for an entity, and the tags that sort them.
#![forbid(unsafe_code)]

mod add;
mod change;
mod delete;
mod list;
mod tags;
mod update;
mod view;

use analysis::State;
use api::{Route, route};

pub static ROUTES: &[Route<State>] = &[
    route!(Post "/entities/addprompt" => add::add),
    route!(Get "/entities/prompts" => list::list),
    route!(Delete "/entities/prompts" => delete::delete),
    route!(Patch "/entities/updateprompt" => update::update),
    route!(Get "/tags" => tags::list::list),
    route!(Post "/tags" => tags::create::create),
    route!(Delete "/tags" => tags::delete::delete),
];
