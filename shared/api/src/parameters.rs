//! The query parameters that several endpoints share.

use domain::limits::{DEFAULT_PAGE_LIMIT, MAX_PAGE_LIMIT};
use domain::page::MAX_OFFSET;
use domain::period::PERIODS;

use crate::{Input, Kind, Resource};

pub const ENTITY_ID: Input = Input::id("entityId", Resource::Entity, "The entity's id");
pub const PERIOD: Input = Input::optional("period",
    Kind::OwnWord("Period", &[PERIODS[0].0, PERIODS[1].0, PERIODS[2].0], Some("30d")),
    "The last UTC days up to today. `startDate` or `endDate` replaces it.");
pub const START_DATE: Input = Input::optional("startDate", Kind::Day,
    "The first UTC day. A range includes both ends and has at most 366 days. Without `startDate` it begins 29 days before its end.");
pub const END_DATE: Input = Input::optional("endDate", Kind::Day,
    "The last UTC day. A range includes both ends and has at most 366 days. Without `endDate` it ends today.");
pub const MODELS: Input = Input::optional("models", Kind::Models,
    "Only responses of these models, by `uuid` from `GET /models`. A model that is no longer listed is taken where its answers are \
     recorded, and any other value is refused");
pub const TAGS: Input = Input::optional("tags", Kind::Filter(Resource::Tag),
    "Only responses to prompts that have one of these tags, by id");
pub const PROMPT_IDS: Input =
    Input::optional("promptIds", Kind::Filter(Resource::Prompt), "Only responses to these prompts, by id");
pub const UNION: Input = Input::optional("union", Kind::Flag,
    "If `false`, only this tracking's own responses count, even if it is in a domain group of several trackings.");
pub const LIMIT: Input = Input::optional("limit", Kind::Whole(1, MAX_PAGE_LIMIT as u64, Some(DEFAULT_PAGE_LIMIT as u64)),
    "The number of rows per page. A CSV table can have 50000, and has all without `limit`.");
pub const OFFSET: Input = Input::optional("offset", Kind::Whole(0, MAX_OFFSET as u64, Some(0)), "The number of rows to skip");
/// The page of a listing that is complete without it.
pub const OPTIONAL_LIMIT: Input = Input::optional("limit", Kind::Whole(1, MAX_PAGE_LIMIT as u64, None),
    "The number of rows per page. Without it, all rows are listed.").extension();
pub const OPTIONAL_OFFSET: Input = Input {
    description: "The number of rows to skip. Only together with `limit`.",
    ..OFFSET.extension()
};
/// The format of a response that can be a table. Each endpoint with columns has it.
pub const FORMAT: Input = Input::optional("format", Kind::OwnWord("Format", &["json", "csv"], None),
    "The format of the response. Without it, `Accept` decides between JSON and a CSV table, and JSON is the default.").extension();

/// The parameters that are the same for all endpoints that have them.
pub const SHARED: [Input; 11] = [
    ENTITY_ID, PERIOD, START_DATE, END_DATE, MODELS, TAGS, PROMPT_IDS, LIMIT, OFFSET, FORMAT, UNION,
];
