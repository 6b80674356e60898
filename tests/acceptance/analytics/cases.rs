//! The contract of the endpoints: a request of each, and the input that they refuse.

use super::BAD_RANGES;
use crate::contract::{Bad, Endpoint, Sent};

/// What every endpoint with filters refuses, and more.
macro_rules! bad {
    ($($more:expr),* $(,)?) => {
        &[
            $($more,)*
            Bad::Missing("entityId"),
            Bad::Twice("entityId"),
            Bad::Parameter("period", "90d"),
            Bad::Parameter("period", "7D"),
            Bad::Twice("period"),
            Bad::Parameter("startDate", "2026-02-01"),
            Bad::Parameter("startDate", "2025-01-29"),
            Bad::Parameter("startDate", "yesterday"),
            Bad::Twice("startDate"),
            Bad::Parameter("endDate", "2026-01-32"),
            Bad::Twice("endDate"),
            Bad::Parameter("union", "yes"),
            Bad::Parameter("union", "TRUE"),
            Bad::Parameter("union", "0"),
            Bad::Twice("union"),
        ]
    };
}

macro_rules! bad_pages {
    ($($more:expr),* $(,)?) => {
        bad![
            $($more,)*
            Bad::Parameter("limit", "0"),
            Bad::Parameter("limit", "101"),
            Bad::Parameter("limit", "-1"),
            Bad::Parameter("limit", "1.5"),
            Bad::Parameter("limit", "1e1"),
            Bad::Parameter("limit", "ten"),
            Bad::Parameter("limit", "99999999999999999999999"),
            Bad::Twice("limit"),
            Bad::Parameter("offset", "-1"),
            Bad::Parameter("offset", "0.5"),
            Bad::Parameter("offset", "x"),
            Bad::Parameter("offset", "99999999999999999999999"),
            Bad::Twice("offset"),
        ]
    };
}

macro_rules! request {
    ($($more:expr),* $(,)?) => {
        |fixture| {
            Sent::query(&[
                ("entityId", &fixture.entity),
                ("period", "14d"),
                ("startDate", "2026-01-01"),
                ("endDate", "2026-01-31"),
                ("models", &fixture.model),
                ("promptIds", &fixture.prompt),
                ("tags", &fixture.tag),
                ("union", "false"),
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
        bad: BAD_RANGES,
    },
    Endpoint {
        route: "GET /trends/citations",
        request: request![("topN", "20")],
        subject: Some("entityId"),
        bad: bad![
            Bad::Parameter("topN", "0"),
            Bad::Parameter("topN", "21"),
            Bad::Parameter("topN", "x"),
            Bad::Parameter("topN", "-1"),
            Bad::Parameter("topN", "+5"),
            Bad::Parameter("topN", "5.0"),
            Bad::Twice("topN"),
        ],
    },
    Endpoint {
        route: "GET /entities/citations",
        request: request![("limit", "100"), ("offset", "7")],
        subject: Some("entityId"),
        bad: bad_pages![],
    },
    Endpoint {
        route: "GET /entities/citations/details",
        request: request![("citedEntityUuid", UUID), ("limit", "1"), ("offset", "0")],
        subject: Some("entityId"),
        bad: bad_pages![
            Bad::Missing("citedEntityUuid"),
            Bad::Parameter("citedEntityUuid", "acme.com"),
            Bad::Parameter("citedEntityUuid", "7dea88c1-f321-5f64-bd14-a25dfce7807"),
            Bad::Parameter("citedEntityUuid", "0"),
            Bad::Twice("citedEntityUuid"),
        ],
    },
    Endpoint {
        route: "GET /query-fanouts",
        request: request![("search", "crm"), ("limit", "20"), ("offset", "20")],
        subject: Some("entityId"),
        bad: bad_pages![Bad::Twice("search")],
    },
    Endpoint {
        route: "GET /entities/competitors",
        request: request![("limit", "20"), ("offset", "0")],
        subject: Some("entityId"),
        bad: bad_pages![],
    },
    Endpoint {
        route: "GET /responses",
        request: request![("limit", "20"), ("offset", "0")],
        subject: Some("entityId"),
        bad: bad_pages![],
    },
    Endpoint {
        route: "GET /responses/details",
        request: |fixture| Sent::query(&[("responseId", &fixture.response)]),
        subject: Some("responseId"),
        bad: &[Bad::Missing("responseId"), Bad::Twice("responseId")],
    },
];
