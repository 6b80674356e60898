//! The analytics endpoints. All figures are computed from facts, never from the text of responses.
#![forbid(unsafe_code)]

mod citation_details;
mod citation_trend;
mod citations;
mod competitors;
mod query_fanouts;
mod response_details;
mod responses;
mod visibility_trend;

use analytics_core::AnalyticsState;
use api::{Route, route};

/// The route table of this function.
pub static ROUTES: &[Route<AnalyticsState>] = &[
    route!(Get "/trends/visibility" => visibility_trend::get),
    route!(Get "/trends/citations" => citation_trend::get),
    route!(Get "/entities/citations" => citations::list),
    route!(Get "/entities/citations/details" => citation_details::list),
    route!(Get "/entities/competitors" => competitors::list),
    route!(Get "/query-fanouts" => query_fanouts::list),
    route!(Get "/responses" => responses::list),
    route!(Get "/responses/details" => response_details::get),
];
