//! The contract cases of the analytics endpoints: a valid request of each, and its invalid inputs.

use super::INVALID_RANGES;
use crate::contract::{Endpoint, InvalidInput, RequestInput};

/// The invalid inputs of every endpoint with filters, followed by additional ones.
macro_rules! invalid_inputs {
    ($($more:expr),* $(,)?) => {
        &[
            $($more,)*
            InvalidInput::Missing("entityId"),
            InvalidInput::Repeated("entityId"),
            InvalidInput::Parameter("period", "90d"),
            InvalidInput::Parameter("period", "7D"),
            InvalidInput::Repeated("period"),
            InvalidInput::Parameter("startDate", "2026-02-01"),
            InvalidInput::Parameter("startDate", "2025-01-29"),
            InvalidInput::Parameter("startDate", "yesterday"),
            InvalidInput::Repeated("startDate"),
            InvalidInput::Parameter("endDate", "2026-01-32"),
            InvalidInput::Repeated("endDate"),
            InvalidInput::Parameter("union", "yes"),
            InvalidInput::Parameter("union", "TRUE"),
            InvalidInput::Parameter("union", "0"),
            InvalidInput::Repeated("union"),
            InvalidInput::Parameter("format", "xml"),
            InvalidInput::Parameter("format", "CSV"),
            InvalidInput::Repeated("format"),
        ]
    };
}

macro_rules! invalid_pages {
    ($($more:expr),* $(,)?) => {
        invalid_inputs![
            $($more,)*
            InvalidInput::Parameter("limit", "0"),
            InvalidInput::Parameter("limit", "101"),
            InvalidInput::Parameter("limit", "-1"),
            InvalidInput::Parameter("limit", "1.5"),
            InvalidInput::Parameter("limit", "1e1"),
            InvalidInput::Parameter("limit", "ten"),
            InvalidInput::Parameter("limit", "99999999999999999999999"),
            InvalidInput::Repeated("limit"),
            InvalidInput::Parameter("offset", "-1"),
            InvalidInput::Parameter("offset", "0.5"),
            InvalidInput::Parameter("offset", "x"),
            InvalidInput::Parameter("offset", "99999999999999999999999"),
            InvalidInput::Repeated("offset"),
        ]
    };
}

macro_rules! request {
    ($($more:expr),* $(,)?) => {
        |fixture| {
            RequestInput::query(&[
                ("entityId", &fixture.entity),
                ("period", "14d"),
                ("startDate", "2026-01-01"),
                ("endDate", "2026-01-31"),
                ("models", &fixture.model),
                ("promptIds", &fixture.prompt),
                ("tags", &fixture.tag),
                ("union", "false"),
                ("format", "json"),
                $($more,)*
            ])
        }
    };
}

/// A brand that was never cited.
const UUID: &str = "7dea88c1-f321-5f64-bd14-a25dfce7807a";

pub(crate) const CASES: &[Endpoint] = &[
    Endpoint {
        route: "GET /trends/visibility",
        request: request![],
        subject: Some("entityId"),
        invalid_inputs: INVALID_RANGES,
    },
    Endpoint {
        route: "GET /trends/citations",
        request: request![("topN", "20")],
        subject: Some("entityId"),
        invalid_inputs: invalid_inputs![
            InvalidInput::Parameter("topN", "0"),
            InvalidInput::Parameter("topN", "21"),
            InvalidInput::Parameter("topN", "x"),
            InvalidInput::Parameter("topN", "-1"),
            InvalidInput::Parameter("topN", "+5"),
            InvalidInput::Parameter("topN", "5.0"),
            InvalidInput::Repeated("topN"),
        ],
    },
    Endpoint {
        route: "GET /trends/compare",
        request: request![
            ("baseStartDate", "2024-06-01"),
            ("baseEndDate", "2024-06-30"),
            ("metrics", "visibility,shareOfVoice,citations"),
        ],
        subject: Some("entityId"),
        invalid_inputs: invalid_inputs![
            InvalidInput::Parameter("baseStartDate", "2024-07-01"),
            InvalidInput::Parameter("baseStartDate", "2023-06-30"),
            InvalidInput::Parameter("baseStartDate", "2025-02-30"),
            InvalidInput::Parameter("baseStartDate", "yesterday"),
            InvalidInput::Repeated("baseStartDate"),
            InvalidInput::Parameter("baseEndDate", "2026-01-01"),
            InvalidInput::Parameter("baseEndDate", "2025-11-31"),
            InvalidInput::Repeated("baseEndDate"),
            InvalidInput::Parameter("metrics", "score"),
            InvalidInput::Parameter("metrics", "visibility,,citations"),
            InvalidInput::Repeated("metrics"),
            InvalidInput::Parameter("metrics", "visibility,Citations"),
        ],
    },
    Endpoint {
        route: "GET /entities/overview",
        request: |_| {
            RequestInput::query(&[
                ("period", "14d"),
                ("startDate", "2026-01-01"),
                ("endDate", "2026-01-31"),
                ("format", "json"),
                ("limit", "100"),
                ("offset", "0"),
            ])
        },
        subject: None,
        invalid_inputs: &[
            InvalidInput::Parameter("period", "90d"),
            InvalidInput::Repeated("period"),
            InvalidInput::Parameter("startDate", "2026-02-01"),
            InvalidInput::Parameter("startDate", "yesterday"),
            InvalidInput::Repeated("startDate"),
            InvalidInput::Parameter("endDate", "2026-01-32"),
            InvalidInput::Repeated("endDate"),
            InvalidInput::Parameter("format", "xml"),
            InvalidInput::Repeated("format"),
            InvalidInput::Parameter("limit", "0"),
            InvalidInput::Parameter("limit", "101"),
            InvalidInput::Repeated("limit"),
            InvalidInput::Parameter("offset", "-1"),
            InvalidInput::Repeated("offset"),
        ],
    },
    Endpoint {
        route: "GET /entities/citations",
        request: request![("limit", "100"), ("offset", "7")],
        subject: Some("entityId"),
        invalid_inputs: invalid_pages![],
    },
    Endpoint {
        route: "GET /entities/citations/details",
        request: request![("citedEntityUuid", UUID), ("limit", "1"), ("offset", "0")],
        subject: Some("entityId"),
        invalid_inputs: invalid_pages![
            InvalidInput::Missing("citedEntityUuid"),
            InvalidInput::Parameter("citedEntityUuid", "acme.com"),
            InvalidInput::Parameter("citedEntityUuid", "7dea88c1-f321-5f64-bd14-a25dfce7807"),
            InvalidInput::Parameter("citedEntityUuid", "0"),
            InvalidInput::Repeated("citedEntityUuid"),
        ],
    },
    Endpoint {
        route: "GET /query-fanouts",
        request: request![("search", "crm"), ("limit", "20"), ("offset", "20")],
        subject: Some("entityId"),
        invalid_inputs: invalid_pages![InvalidInput::Repeated("search")],
    },
    Endpoint {
        route: "GET /entities/competitors",
        request: request![("limit", "20"), ("offset", "0")],
        subject: Some("entityId"),
        invalid_inputs: invalid_pages![],
    },
    Endpoint {
        route: "GET /responses",
        request: request![("limit", "20"), ("offset", "0")],
        subject: Some("entityId"),
        invalid_inputs: invalid_pages![],
    },
    Endpoint {
        route: "GET /responses/details",
        request: |fixture| RequestInput::query(&[("responseId", &fixture.response)]),
        subject: Some("responseId"),
        invalid_inputs: &[
            InvalidInput::Missing("responseId"),
            InvalidInput::Repeated("responseId"),
        ],
    },
];
