//! The API function of prompts, the questions that an entity asks the models, and of the tags that group
//! them.
#![forbid(unsafe_code)]

pub mod add;
pub mod delete;
pub mod list;
mod parse_updates;
#[rustfmt::skip] // A line per field.
mod requests;
pub mod tags;
pub mod update;
mod view;

use analytics::AnalyticsState;
use api::parameters::{
    END_DATE, ENTITY_ID, LIMIT_OF_ALL, MODELS, OFFSET_IN_ALL, PERIOD, PROMPT_IDS, START_DATE, TAGS, UNION,
};
use api::{Body, Input, Kind, Resource, Route, route};
use domain::limits::MAX_TAG_CHARS;

/// The endpoints of this function.
pub static ROUTES: &[Route<AnalyticsState>] = &[
    route!(Post "/entities/addprompt" => add::add, body requests::ADD),
    route!(Get "/entities/prompts" => list::list, csv list::COLUMNS,
        query [ENTITY_ID, PERIOD, START_DATE, END_DATE, MODELS.extension(), TAGS.extension(), PROMPT_IDS.extension(), UNION.extension(),
            LIMIT_OF_ALL, OFFSET_IN_ALL]),
    route!(Delete "/entities/prompts" => delete::delete,
        query [Input::id("promptId", Resource::Prompt, "The prompt's id")]),
    route!(Patch "/entities/updateprompt" => update::update, body requests::UPDATE),
    route!(Get "/tags" => tags::list::list, csv tags::list::COLUMNS),
    route!(workspace Post "/tags" => tags::create::create,
        body Body::Fields(&[Input::required("name", Kind::Name(MAX_TAG_CHARS),
            "The name. It is unique in the workspace, regardless of case, accents and spaces.")])),
    route!(workspace Delete "/tags" => tags::delete::delete, query [Input::id("tagId", Resource::Tag, "The tag's id")]),
];
