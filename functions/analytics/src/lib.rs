//! The API function of analytics. All figures are computed from facts, never from the text of responses.
#![forbid(unsafe_code)]

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

use analytics_core::AnalyticsState;
use api::{Route, route};

/// The endpoints of this function.
pub static ROUTES: &[Route<AnalyticsState>] = &[
    route!(Get "/trends/visibility" => visibility_trend::get, csv visibility_trend::COLUMNS),
    route!(Get "/trends/citations" => citation_trend::get, csv citation_trend::COLUMNS),
    route!(Get "/trends/compare" => comparison::get, csv comparison::COLUMNS),
    route!(Get "/entities/overview" => overview::list, csv overview::COLUMNS),
    route!(Get "/entities/citations" => citations::list, csv citations::COLUMNS),
    route!(Get "/entities/citations/details" => citation_details::list, csv citation_details::COLUMNS),
    route!(Get "/entities/competitors" => competitors::list, csv competitors::COLUMNS),
    route!(Get "/query-fanouts" => query_fanouts::list, csv query_fanouts::COLUMNS),
    route!(Get "/responses" => responses::list, csv responses::COLUMNS),
    route!(Get "/responses/details" => response_details::get),
];
