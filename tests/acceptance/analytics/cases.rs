//! The contract cases of the analytics endpoints: a valid request of each.

use crate::contract::{Endpoint, RequestInput};

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
    },
    Endpoint {
        route: "GET /trends/citations",
        request: request![("topN", "20")],
    },
    Endpoint {
        route: "GET /trends/compare",
        request: request![
            ("baseStartDate", "2024-06-01"),
            ("baseEndDate", "2024-06-30"),
            ("metrics", "visibility,shareOfVoice,citations"),
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
    },
    Endpoint {
        route: "GET /entities/citations",
        request: request![("limit", "100"), ("offset", "7")],
    },
    Endpoint {
        route: "GET /entities/citations/details",
        request: request![("citedEntityUuid", UUID), ("limit", "1"), ("offset", "0")],
    },
    Endpoint {
        route: "GET /query-fanouts",
        request: request![("search", "crm"), ("limit", "20"), ("offset", "20")],
    },
    Endpoint {
        route: "GET /entities/competitors",
        request: request![("limit", "20"), ("offset", "0")],
    },
    Endpoint {
        route: "GET /responses",
        request: request![("limit", "20"), ("offset", "0")],
    },
    Endpoint {
        route: "GET /responses/details",
        request: |fixture| RequestInput::query(&[("responseId", &fixture.response)]),
    },
];
