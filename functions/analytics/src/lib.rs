//! Analytics: computed from facts, never from raw responses.
#![forbid(unsafe_code)]

mod citation_trend;
mod citations;
mod competitors;
mod details;
mod fanouts;
mod parts;
mod response;
mod responses;
mod visibility;

use analytics_core::AnalyticsState;
use api::{Route, route};

pub static ROUTES: &[Route<AnalyticsState>] = &[
    route!(Get "/trends/visibility" => visibility::visibility),
    route!(Get "/trends/citations" => citation_trend::citation_trend_of),
    route!(Get "/entities/citations" => citations::citations),
    route!(Get "/entities/citations/details" => details::details),
    route!(Get "/entities/competitors" => competitors::competitors),
    route!(Get "/query-fanouts" => fanouts::fanouts),
    route!(Get "/responses" => responses::responses),
    route!(Get "/responses/details" => response::response),
];
