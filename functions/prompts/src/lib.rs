//! The API function of prompts, the questions that an entity asks the models, and of the tags that group them.
#![forbid(unsafe_code)]

pub mod add;
pub mod delete;
pub mod list;
mod parse_updates;
pub mod tags;
pub mod update;
mod view;

use analytics_core::AnalyticsState;
use api::{Route, route};

/// The endpoints of this function.
pub static ROUTES: &[Route<AnalyticsState>] = &[
    route!(Post "/entities/addprompt" => add::add),
    route!(Get "/entities/prompts" => list::list, csv list::COLUMNS),
    route!(Delete "/entities/prompts" => delete::delete),
    route!(Patch "/entities/updateprompt" => update::update),
    route!(Get "/tags" => tags::list::list, csv tags::list::COLUMNS),
    route!(workspace Post "/tags" => tags::create::create),
    route!(workspace Delete "/tags" => tags::delete::delete),
];
