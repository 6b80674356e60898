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
    END_DATE, ENTITY_ID, MODELS, OPTIONAL_LIMIT, OPTIONAL_OFFSET, PERIOD, PROMPT_IDS, START_DATE, TAGS, UNION,
};
use api::{Body, Input, Kind, Resource, Route, route};
use domain::limits::MAX_TAG_CHARS;

/// The endpoints of this function.
pub static ROUTES: &[Route<AnalyticsState>] = &[
    route!("addPrompt" Post "/entities/addprompt" => add::add, body requests::ADD),
    route!("listPrompts" Get "/entities/prompts" => list::list, csv list::COLUMNS,
        query [ENTITY_ID, PERIOD, START_DATE, END_DATE, MODELS.extension(), TAGS.extension(), PROMPT_IDS.extension(), UNION.extension(),
            OPTIONAL_LIMIT, OPTIONAL_OFFSET]),
    route!("deletePrompt" Delete "/entities/prompts" => delete::delete,
        query [Input::id("promptId", Resource::Prompt, "The prompt's id")]),
    route!("updatePrompt" Patch "/entities/updateprompt" => update::update, body requests::UPDATE),
    route!("listTags" Get "/tags" => tags::list::list, csv tags::list::COLUMNS),
    route!(workspace "createTag" Post "/tags" => tags::create::create,
        body Body::Fields(&[Input::required("name", Kind::Name(MAX_TAG_CHARS),
            "The name. It is unique in the workspace, regardless of case, accents and spaces.")])),
    route!(workspace "deleteTag" Delete "/tags" => tags::delete::delete, query [Input::id("tagId", Resource::Tag, "The tag's id")]),
];
