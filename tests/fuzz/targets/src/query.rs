//! Query strings: parameters, date ranges, pages and filters.

use analytics::Filters;
use api::{ApiError, QueryParameters};
use domain::limits::{MAX_PAGE_LIMIT, MAX_RANGE_DAYS};
use domain::page::{Page, parse_whole_number};
use domain::time::Day;

use crate::told;

/// Every rule that a query can violate.
const RULES: [&str; 10] = [
    "must be given only once",
    "must be 7d, 14d or 30d",
    "must not be after today where endDate is missing",
    "must not be after endDate",
    "and endDate must span at most 366 days",
    "must be YYYY-MM-DD or an ISO 8601 timestamp with an offset or Z, from 1970 on",
    "must be a whole number from 1 to 100",
    "must be a whole number from 0 to 9007199254740991",
    "must be true or false",
    "must be the uuid of a model from GET /models",
];

pub(crate) fn run(data: &[u8]) {
    let raw = String::from_utf8_lossy(data);
    let query = QueryParameters::parse(&raw);
    let refused = |error: ApiError, names: &[&str]| {
        let told = error.message();
        let (place, rule) = told.split_once(' ').unwrap();
        let name = place.split('[').next().unwrap();
        assert!(names.contains(&name) && RULES.contains(&rule), "{told}");
        told::nothing_of(&raw, told);
    };

    // The current day can be any day that can be displayed.
    let today = Day(data
        .iter()
        .fold(0i32, |day, byte| (day * 31 + i32::from(*byte)) % 40_000));
    match query.range(today) {
        Ok(range) => {
            let days = range.days().count();
            assert!((1..=usize::try_from(MAX_RANGE_DAYS).unwrap()).contains(&days));
            assert!(range.first >= Day(0) && range.contains(range.first) && range.contains(range.last));
            assert!(!range.contains(range.last.plus_days(1)));
            assert!(range.months().count() <= 14);
            let label = query.text("period").unwrap().unwrap_or("30d");
            assert!(range.label() == label || range.label() == "custom");
            // Displayed days parse to the same days.
            let (first, last) = (range.first.to_string(), range.last.to_string());
            let again = QueryParameters::parse(&format!("startDate={first}&endDate={last}")).range(today);
            let again = again.unwrap();
            assert_eq!((again.first, again.last), (range.first, range.last));
        }
        Err(error) => refused(error, &["period", "startDate", "endDate"]),
    }
    let (limit, offset) = (query.text("limit"), query.text("offset"));
    let page = limit.and_then(|limit| Ok(Page::parse(limit, offset?)?));
    match page {
        Ok(page) => {
            assert!((1..=MAX_PAGE_LIMIT).contains(&page.limit()));
            let shown = page.full_pagination(1_000);
            assert_eq!(shown.has_next_page, page.offset() + page.limit() < 1_000);
            assert_eq!(shown.has_previous_page, page.offset() > 0);
            assert!(page.select_rows((0..1_000).collect::<Vec<u32>>()).len() <= 100);
        }
        Err(error) => refused(error, &["limit", "offset"]),
    }
    if let Err(error) = Filters::parse(&query) {
        refused(error, &["models", "union"]);
    }
    for name in ["models", "tags", "promptIds"] {
        let Some(values) = query.list(name) else { continue };
        assert!(!values.is_empty() && values.iter().all(|value| !value.is_empty()));
        assert!(
            values
                .iter()
                .all(|value| !value.contains(',') && value.trim() == *value)
        );
    }
    let top = query.text("topN").ok().flatten();
    if let Some((text, Ok(number))) = top.map(|text| (text, parse_whole_number("topN", text, 1, 20))) {
        assert!((1..=20).contains(&number) && text.trim_start_matches('0') == number.to_string());
    }
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    [
        "",
        "entityId=7Hq2bT9xKc4LmZ0p&period=30d",
        "period=7d&startDate=2026-01-05&endDate=2026-03-10",
        "startDate=2026-01-01T01%3A30%3A00%2B02%3A00&endDate=2026-01-02T23:59:59.999Z",
        "startDate=&endDate=2024-12-31&period=14d",
        "startDate=2024-01-01&endDate=2024-12-31&period=custom",
        "limit=100&offset=9007199254740991",
        "limit=0&offset=-1&limit=3",
        "models=b45d1dea-2ffa-5a6d-824d-7b744e4660af,x&models=%20y&tags=,&promptIds=7Hq2bT9xKc4LmZ0p-p1",
        "union=false&topN=20&search=best+crm%00",
        "union=A-Secret-Of-More-Than-24-Characters&period=A-Secret-Of-More-Than-24-Characters",
        "%ff=%zz&a=%C3%28&=&&;",
    ]
    .map(|seed| seed.as_bytes().to_vec())
    .into()
}
