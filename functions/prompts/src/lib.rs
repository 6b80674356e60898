//! Prompts: the questions that are tracked for an entity, and the tags that sort them.
#![forbid(unsafe_code)]

mod add;
mod delete;
mod list;
mod parse_updates;
mod tags;
mod update;
mod view;

use analytics_core::AnalyticsState;
use api::{Route, route};

pub static ROUTES: &[Route<AnalyticsState>] = &[
    route!(Post "/entities/addprompt" => add::add),
    route!(Get "/entities/prompts" => list::list),
    route!(Delete "/entities/prompts" => delete::delete),
    route!(Patch "/entities/updateprompt" => update::update),
    route!(Get "/tags" => tags::list::list),
    route!(Post "/tags" => tags::create::create),
    route!(Delete "/tags" => tags::delete::delete),
];
