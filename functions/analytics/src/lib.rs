//! The API function of analytics. All figures are computed from facts, never from the text of responses.
#![forbid(unsafe_code)]

mod filters;
mod names;
mod request;
mod scope;
mod state;
mod workspace_scope;

pub mod citation_details;
pub mod citation_trend;
pub mod citations;
pub mod comparison;
pub mod competitors;
pub mod overview;
pub mod query_fanouts;
pub mod response_details;
pub mod responses;
pub mod visibility_trend;

use api::parameters::{
    END_DATE, ENTITY_ID, LIMIT, MODELS, OFFSET, PERIOD, PROMPT_IDS, START_DATE, TAGS, UNION,
};
use api::{Input, Kind, Resource, Route, route};
use domain::limits::{DEFAULT_TOP_DOMAINS, MAX_TOP_DOMAINS};

pub use filters::Filters;
pub(crate) use names::tracked_brands;
pub use request::AnalyticsRequest;
pub use scope::Scope;
pub use state::AnalyticsState;
pub(crate) use workspace_scope::{EntityScope, WorkspaceEntities, WorkspaceScope};

/// The endpoints of this function.
pub static ROUTES: &[Route<AnalyticsState>] = &[
    route!("getVisibilityTrend" Get "/trends/visibility" => visibility_trend::get, csv visibility_trend::COLUMNS,
        query [ENTITY_ID, PERIOD, START_DATE.extension(), END_DATE.extension(), MODELS, TAGS, PROMPT_IDS, UNION.extension()]),
    route!("getCitationTrend" Get "/trends/citations" => citation_trend::get, csv citation_trend::COLUMNS,
        query [ENTITY_ID, PERIOD, START_DATE, END_DATE, MODELS, TAGS, PROMPT_IDS, UNION.extension(),
            Input::optional("topN", Kind::Whole(1, MAX_TOP_DOMAINS as u64, Some(DEFAULT_TOP_DOMAINS as u64)), "The number of domains to include")]),
    route!("compareTrends" Get "/trends/compare" => comparison::get, csv comparison::COLUMNS,
        query [ENTITY_ID, PERIOD, START_DATE, END_DATE, MODELS, TAGS, PROMPT_IDS, UNION.extension(),
            Input::optional("baseStartDate", Kind::BaseDay, "The first day of the base"),
            Input::optional("baseEndDate", Kind::BaseDay, "The last day of the base, which is before the window"),
            Input::optional("metrics", Kind::Metrics(&["visibility", "shareOfVoice", "citations"]),
                "What is compared, separated by commas. The visibility always is. Default: everything.")]),
    route!("listEntityOverviews" Get "/entities/overview" => overview::list, csv overview::COLUMNS,
        query [PERIOD, START_DATE, END_DATE, LIMIT, OFFSET]),
    route!("listCitations" Get "/entities/citations" => citations::list, csv citations::COLUMNS,
        query [ENTITY_ID, PERIOD, START_DATE.extension(), END_DATE.extension(), MODELS, TAGS, PROMPT_IDS, UNION.extension(),
            LIMIT, OFFSET]),
    route!("getCitationDetails" Get "/entities/citations/details" => citation_details::list, csv citation_details::COLUMNS,
        query [
            Input::required("citedEntityUuid", Kind::Cited,
                "The cited brand's UUID from GET /entities/citations. A brand that was never cited has no rows."),
            ENTITY_ID, PERIOD, START_DATE, END_DATE, MODELS, TAGS.extension(), PROMPT_IDS.extension(), UNION.extension(),
            LIMIT, OFFSET]),
    route!("listCompetitors" Get "/entities/competitors" => competitors::list, csv competitors::COLUMNS,
        query [ENTITY_ID, PERIOD, START_DATE, END_DATE, MODELS, TAGS, PROMPT_IDS, UNION, LIMIT, OFFSET]),
    route!("listQueryFanouts" Get "/query-fanouts" => query_fanouts::list, csv query_fanouts::COLUMNS,
        query [ENTITY_ID, PERIOD, START_DATE, END_DATE, MODELS, TAGS, PROMPT_IDS.extension(), UNION.extension(),
            Input::optional("search", Kind::Search, "Only searches whose text contains this text, in any case"), LIMIT, OFFSET]),
    route!("listResponses" Get "/responses" => responses::list, csv responses::COLUMNS,
        query [ENTITY_ID, PERIOD, START_DATE, END_DATE, MODELS, TAGS, PROMPT_IDS, UNION, LIMIT, OFFSET]),
    route!("getResponse" Get "/responses/details" => response_details::get, query [Input::id("responseId", Resource::Response, "The response's id")]),
];
